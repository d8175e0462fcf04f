import { accessSync, constants, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
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
 * from an environment of its own. Throws an InputError (`E_SERVER`) where the program of the former is missing.
 */
export function makeServerCommand(kind: ServerKind, checkpoint: string, port: number): ServerCommand {
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  switch (kind) {
    case 'transformers':
      return {
        program: venvProgram('transformers'),
        args: ['serve', checkpoint, '--device', 'cpu', '--dtype', 'float32', ...batching, ...address],
        env: transformersEnv,
      };
    case 'vllm':
      return makeVllmCommand(checkpoint, address);
  }
}

/**
 * The command that serves a model by vLLM: the program that the variable MUXGYM_VLLM names (`vllm`, or a Python that
 * has it), else the environment that `scripts/setup --vllm` made, else `vllm` from PATH.
 */
export function makeVllmCommand(model: string, args: readonly string[]): ServerCommand {
  const own = join(packageRoot(), 'build', 'vllm-venv', 'bin', 'python');
  const program = process.env['MUXGYM_VLLM'] || (existsSync(own) ? own : 'vllm');
  // The community build for CPUs has no metadata under the name that its `vllm` program looks for.
  const byModule = basename(program).startsWith('python');
  const start = byModule ? ['-m', 'vllm.entrypoints.openai.api_server', '--model', model] : ['serve', model];
  return { program, args: [...start, ...args], env: { HF_HUB_DISABLE_TELEMETRY: '1', VLLM_NO_USAGE_STATS: '1' } };
}

/**
 * Without bounds the cache takes most of the machine's memory (12 GB of 24 for a model of 0.5 GB). This one holds 128
 * blocks of 256 tokens, about 1.5 GB for that model; requests beyond it wait. Attention costs the tokens of a batch times
 * all that they could see, other conversations included, so prompts go through in batches of 512.
 */
const batching = ['--continuous-batching', '--cb-num-blocks', '128', '--cb-max-batch-tokens', '512'] as const;

/**
 * Threads that spin at their barriers starve the gym on the same cores, and each other, so they wait passively. Attention
 * reads grouped keys in place instead of copying them once a query head.
 */
const transformersEnv = {
  OMP_WAIT_POLICY: 'PASSIVE',
  TOKENIZERS_PARALLELISM: 'false',
  HF_HUB_OFFLINE: '1',
  TRANSFORMERS_SDPA_FORCE_GQA: '1',
} as const;

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
