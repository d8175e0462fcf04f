import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hashTask, InputError, type Task } from '../../env/index.ts';
import { taskFlagNames } from '../../generator/index.ts';
import type { Policy } from '../policy/index.ts';
import { configOf, type PlaySetting } from './setting.ts';
import { writeFileDurably } from './write-file.ts';

const valueSchema = z.union([z.string(), z.number(), z.null()]);

const runConfigSchema = z.object({
  schema: z.literal(1),
  /** What decides the results. A run is only continued under the same. */
  config: z.record(z.string(), valueSchema),
  /** What may change from one start to the next. */
  context: z.record(z.string(), valueSchema),
});

/** `config.json` of a run folder. Holds no secret. */
export type RunConfig = Readonly<z.infer<typeof runConfigSchema>>;

export interface ConfigParts {
  readonly policy: Policy;
  readonly tasks: readonly Task[];
  readonly samples: number;
  readonly timeoutMs: number | null;
  readonly setting: PlaySetting;
  /** Flags that chose the tasks, as given; compared by the tasks themselves. */
  readonly selection: Readonly<Record<string, string>>;
  /** `file:name`, or null. */
  readonly split: string | null;
}

/** The configuration of a run, from what the user asked for. */
export function makeRunConfig({
  policy,
  tasks,
  samples,
  timeoutMs,
  setting,
  selection,
  split,
}: ConfigParts): RunConfig {
  const config = {
    policy: policy.name,
    ...policy.config,
    task_count: tasks.length,
    tasks_sha256: hashTasks(tasks),
    samples,
    timeout_s: timeoutMs === null ? null : timeoutMs / 1_000,
    split,
    ...configOf(setting),
  };
  return { schema: 1, config, context: { model: policy.model, ...policy.context, ...selection } };
}

/** The configuration that a run folder holds, or null for a folder without a run. Throws `E_CONFIG` where it is torn. */
export function readRunConfig(folder: string): RunConfig | null {
  const path = join(folder, 'config.json');
  if (!existsSync(path)) return null;
  try {
    return runConfigSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new InputError({
      code: 'E_CONFIG',
      what: 'Cannot read the configuration of a run',
      where: path,
      expected: 'a configuration of schema 1',
      found: (cause as Error).message.replace(/\s+/g, ' ').slice(0, 200),
      cause,
    });
  }
}

export function writeRunConfig(folder: string, config: RunConfig): void {
  writeFileDurably(join(folder, 'config.json'), `${JSON.stringify(config, null, 2)}\n`);
}

/**
 * Refuses to continue a run under another configuration (InputError `E_CONFIG_CHANGED`, naming the keys). Models are
 * compared once both are known.
 */
export function requireSameConfig(folder: string, before: RunConfig, now: RunConfig): void {
  const changes = findChanges(before, now);
  if (changes.length > 0) throw changedError(folder, changes);
}

/** What differs between two configurations, as `key: before to now`; models are compared once both are known. */
export function findChanges(before: RunConfig, now: RunConfig): readonly string[] {
  const keys = [...new Set([...Object.keys(before.config), ...Object.keys(now.config)])].sort();
  const changes = keys
    .filter((key) => (before.config[key] ?? null) !== (now.config[key] ?? null))
    .flatMap((key) => (key === 'tasks_sha256' ? describeSelection(before, now) : [key]))
    .map((key) => describeChange(key, readValue(before, key), readValue(now, key)));
  const models = [before.context['model'] ?? null, now.context['model'] ?? null] as const;
  if (models[0] !== null && models[1] !== null && models[0] !== models[1]) {
    changes.push(describeChange('model', ...models));
  }
  return changes;
}

/** The flags that chose the tasks say more than a hash of them, where they differ. */
function describeSelection(before: RunConfig, now: RunConfig): readonly string[] {
  const flags = taskFlagNames.filter((key) => (before.context[key] ?? null) !== (now.context[key] ?? null));
  return flags.length === 0 ? ['tasks_sha256'] : flags;
}

function readValue({ config, context }: RunConfig, key: string): string | number | null {
  return config[key] ?? context[key] ?? null;
}

/** Refuses another run key than the recorded one, without showing either. */
export function requireSameKey(folder: string, same: boolean): void {
  if (!same) throw changedError(folder, ['key (not shown)']);
}

function describeChange(key: string, before: string | number | null, now: string | number | null): string {
  return `${key}: ${JSON.stringify(before)} to ${JSON.stringify(now)}`;
}

function changedError(folder: string, changes: readonly string[]): InputError {
  return new InputError({
    code: 'E_CONFIG_CHANGED',
    what: 'Cannot continue a run under another configuration',
    where: folder,
    expected: 'the configuration of config.json',
    found: `changes of ${changes.join('; ')}`,
    hint: 'give the old flags, choose another --out, or start over with --clean',
  });
}

/** Of the set of tasks; their order decides nothing. */
export function hashTasks(tasks: readonly Task[]): string {
  const hash = createHash('sha256');
  for (const task of tasks.map(hashTask).sort()) hash.update(task);
  return hash.digest('hex');
}
