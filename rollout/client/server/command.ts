import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { InputError, packageRoot } from '../../../env/index.ts';

export const serverKinds = ['transformers', 'vllm'] as const;
/** Programs that serve a checkpoint folder over the OpenAI protocol. */
export type ServerKind = (typeof serverKinds)[number];

export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Added to our own environment. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The command that serves `checkpoint` on a loopback port. transformers comes from the checkout's Python venv, vLLM
 * from PATH, since it needs an environment of its own. Throws an InputError (`E_SERVER`) where the program is missing.
 */
export function makeServerCommand(kind: ServerKind, checkpoint: string, port: number): ServerCommand {
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  switch (kind) {
    case 'transformers':
      return {
        program: venvProgram('transformers'),
        args: ['serve', checkpoint, '--device', 'cpu', '--dtype', 'float32', ...batching, ...address],
        env: { OMP_WAIT_POLICY: 'PASSIVE', TOKENIZERS_PARALLELISM: 'false', HF_HUB_OFFLINE: '1' },
      };
    case 'vllm':
      return { program: 'vllm', args: ['serve', checkpoint, ...address], env: {} };
  }
}

/**
 * Without bounds the cache takes most of the machine's memory (12 GB of 24 for a model of 0.5 GB). This one holds 128
 * blocks of 256 tokens, about 1.5 GB for that model; requests beyond it wait. Threads that spin at their barriers starve
 * the gym on the same cores, and each other, so they wait passively.
 */
const batching = ['--continuous-batching', '--cb-num-blocks', '128', '--cb-max-batch-tokens', '2048'] as const;

function venvProgram(name: string): string {
  const path = join(packageRoot(), 'trainer-bridge', 'python', '.venv', 'bin', name);
  try {
    accessSync(path, constants.X_OK);
  } catch (cause) {
    throw new InputError({
      code: 'E_SERVER',
      what: 'Cannot start a model server',
      where: path,
      expected: 'the program of the Python environment',
      found: 'none',
      hint: 'run scripts/setup, or start a server yourself and give its address with --base-url',
      cause,
    });
  }
  return path;
}
