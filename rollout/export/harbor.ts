import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { hashTask, packageRoot, type Task } from '../../env/index.ts';

export interface HarborOptions {
  /** The image with muxgym in it, built once from `data/harbor/Dockerfile`. */
  readonly image: string;
  readonly version: string;
  readonly split: string | null;
}

/** Harbor's task schema that is written. */
const harborSchema = '1.4';

/**
 * Writes one task in Harbor's layout. The world runs in the container under a supervisor of another user, and the agent
 * acts on it through `mux`, so that the virtual clock, the evidence and the grade are the gym's own.
 */
export function writeHarborTask(folder: string, task: Task, options: HarborOptions): void {
  const name = harborName(task.id);
  const parts = ['environment', 'tests', 'solution'].map((part) => join(folder, name, part));
  for (const part of parts) mkdirSync(part, { recursive: true });
  const at = (...path: readonly string[]) => join(folder, name, ...path);
  writeFileSync(at('task.toml'), stringify(makeConfig(task, name, options)));
  writeFileSync(at('instruction.md'), formatInstruction(task));
  writeFileSync(at('environment', 'Dockerfile'), formatDockerfile(options));
  writeFileSync(at('environment', 'task.jsonl'), `${JSON.stringify(task)}\n`);
  writeScript(at('solution', 'solve.sh'), formatSolution(task));
  cpSync(join(packageRoot(), 'data', 'harbor', 'test.sh'), at('tests', 'test.sh'));
  chmodSync(at('tests', 'test.sh'), 0o755);
}

/** Harbor's names know letters, digits, `-`, `_` and `.` only. */
export function harborName(id: string): string {
  return id.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/-+$/, '');
}

function makeConfig(task: Task, name: string, { image, version, split }: HarborOptions) {
  const seconds = Math.ceil(task.limits.wallMs / 1_000);
  return {
    schema_version: harborSchema,
    task: { name: `muxgym/${name}`, version, description: `${task.suite}, seed ${task.seed}`, keywords: ['tmux'] },
    metadata: {
      ...{ id: task.id, task_hash: hashTask(task), suite: task.suite, pillar: task.pillar, seed: task.seed },
      ...(task.depth === null ? {} : { depth: task.depth }),
      ...(task.ops === null ? {} : { n: task.ops }),
      ...(split === null ? {} : { split }),
      ...{ generator_version: task.generator, clock: 'virtual: a tick passes with each call of mux' },
    },
    agent: { timeout_sec: Math.max(600, seconds), user: 'agent' },
    verifier: { timeout_sec: 120, environment_mode: 'shared', user: 'root' },
    environment: {
      docker_image: image,
      ...{ cpus: 1, memory_mb: 1_024, network_mode: 'no-network', workdir: '/home/agent' },
      healthcheck: { command: '/opt/muxgym/data/harbor/start.sh', interval_sec: 2, timeout_sec: 60, retries: 3 },
    },
  };
}

function formatInstruction({ prompt, limits }: Task): string {
  return `${prompt}

## How to act

The machine that this is about is reached by the program \`mux\`, and by nothing else. Each call is one step; you have
${limits.steps}. A step takes at least one second of that machine's own time, which stands still between steps.

- \`mux run 'COMMAND'\` runs a bash command line there in a fresh shell, and prints its output and exit code.
- \`mux keys TARGET KEY...\` sends keys to a tmux pane.
- \`mux wait TICKS\` lets seconds pass.
- \`mux done\` says that you are finished.
`;
}

function formatDockerfile({ image }: HarborOptions): string {
  return [
    '# The base is built once, from a checkout of muxgym: docker build -t IMAGE -f data/harbor/Dockerfile .',
    `FROM ${image}`,
    'COPY --chmod=600 task.jsonl /opt/muxgym-task/task.jsonl',
    'RUN chmod 700 /opt/muxgym-task',
    '',
  ].join('\n');
}

function formatSolution(task: Task): string {
  const actions = task.solutions.oracle[0]?.actions ?? [];
  const calls = [...actions, { type: 'done' }].map((action) => `mux act <<'ACTION'\n${JSON.stringify(action)}\nACTION`);
  return `#!/bin/bash\n# The reference solution.\nset -e\n${calls.join('\n')}\n`;
}

function writeScript(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}
