import type { Action, Check, Probe, Solution, Task } from '../../env/index.ts';
import type { FileCheck } from './check-schema.ts';
import { compileEvent, compilePlan } from './compile-world.ts';
import { dotAll } from './dot-all.ts';
import type { TaskFile } from './file-schema.ts';
import type { FileAction, FileSolution } from './solution-schema.ts';

/** Version of what this folder makes of a file; part of each task's identity. */
export const suiteVersion = 'suite-1';

const suites = { A: 'solo', B: 'events', C: 'control' } as const;
const pillars = { A: 'A', B: 'B', C: 'C' } as const;

/**
 * Makes the task that a file describes, as plain data that the schema of tasks has still to take. `naive` stands for a
 * `naive.sh` that lies beside the file. Pure.
 */
export function compileTask(file: TaskFile, naive: string | null): Readonly<Record<string, unknown>> {
  const { category, title, tier, teaches, env, guess, hooks, slots } = file;
  const pillar = pillars[category.charAt(0) as keyof typeof pillars];
  const ticks = env.ticks ?? Math.max(240, 10 * env.max_turns);
  return {
    id: file.id,
    suite: suites[pillar],
    pillar,
    depth: null,
    ops: null,
    seed: file.seed,
    profile: 'fair',
    paraphrase: 0,
    prompt: file.prompt.trim(),
    slots,
    plan: compilePlan(file),
    events: file.events.map(compileEvent),
    checks: file.checks.map(compileCheck),
    debugLog: true,
    solutions: compileSolutions(file, naive),
    limits: {
      steps: env.max_turns,
      ticks,
      ticksPerAction: env.agent_timeout,
      wallMs: 120_000,
      observationBytes: env.observation_bytes,
    },
    generator: suiteVersion,
    ...(guess === undefined ? {} : { guess }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(isPublished(file) ? { instrument: 'shell' } : {}),
    about: { title, category, tier: Number(tier.slice(1)), ...(teaches === undefined ? {} : { teaches }) },
  } satisfies Record<keyof Omit<Task, 'axes' | 'guess' | 'hooks' | 'instrument'>, unknown> & Record<string, unknown>;
}

/** Whether a file rests on shell scripts of its own, in set-up or in a check: the weaker instrument. */
export function isPublished({ setup, checks }: TaskFile): boolean {
  return setup !== undefined || checks.some(({ query }) => query !== undefined);
}

/** A weight of 0 is told by the published format only; the least one keeps the reward a quotient. */
const leastWeight = 2 ** -40;

function compileCheck(check: FileCheck): Check {
  const { id, role, event = null, required, op, query } = check;
  const usual = role === 'perceive' && query === undefined ? 0.25 : 1;
  const expect = [check.expect ?? []].flat().map(String);
  return {
    id,
    role,
    event,
    required,
    weight: Math.max(leastWeight, check.weight ?? usual),
    probe: compileProbe(check),
    op,
    expect: op === 'regex' && query !== undefined ? expect.map(dotAll) : expect,
  };
}

function compileProbe({ query, timeout = 15, file, tmux, heard, started, field, event, commands }: FileCheck): Probe {
  if (query !== undefined) return { type: 'shell', query, timeoutMs: Math.round(timeout * 1_000) };
  if (file !== undefined) return { type: 'file', path: file };
  if (tmux !== undefined) return { type: 'tmux', argv: tmux };
  if (heard !== undefined) return { type: 'heard', ...heard };
  if (started !== undefined) return { type: 'started', worker: started };
  if (commands !== undefined) return { type: 'commands', command: commands };
  return { type: 'event', event: event ?? '', field: field ?? 'outcome' };
}

function compileSolutions({ solutions, reference }: TaskFile, naive: string | null): Task['solutions'] {
  const published = reference === undefined ? [] : [{ name: 'reference', script: reference }];
  const beside = naive === null ? { actions: [] } : { script: naive };
  return {
    oracle: [...solutions.oracle, ...published, ...solutions.honest].map((each) => compileSolution(each)),
    naive: compileSolution({ name: 'naive', ...(solutions.naive ?? beside) }),
    wrong: compileSolution({ name: 'wrong', ...(solutions.wrong ?? { script: 'printf "wrong\\n" > "$REPORT"' }) }),
    ...(solutions.lazy.length === 0 ? {} : { lazy: solutions.lazy.map((each) => compileSolution(each)) }),
  };
}

function compileSolution({ name = 'solution', script, actions = [] }: FileSolution): Solution {
  if (script !== undefined) return { name, actions: [{ type: 'script', script: script.trim() }] };
  return { name, actions: actions.map(compileAction) };
}

function compileAction({ command, script, wait, keys, target = '' }: FileAction): Action {
  if (command !== undefined) return { type: 'command', command };
  if (script !== undefined) return { type: 'script', script: script.trim() };
  return wait === undefined ? { type: 'keys', target, keys: keys ?? [] } : { type: 'wait', ticks: wait };
}
