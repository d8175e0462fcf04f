import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { createGym, type Env, type Grade, type Gym, type Rung, type Task } from '../../../env/index.ts';
import { prepareScript } from '../script.ts';
import { tasks } from '../tasks.ts';
import { type HostileEpisode, makeHostileEpisode } from './hostile-script.ts';
import { countChildren, killSandboxOf, listDescriptors } from './outside.ts';

export interface FuzzOptions {
  readonly episodes: number;
  /** Seeds are counted from here. @default 0 */
  readonly seed?: number | undefined;
  /** Episodes at once. @default 2 */
  readonly concurrency?: number | undefined;
  /** One sandbox in so many is killed from outside, to show that this alone is masked. @default 50 */
  readonly faultEvery?: number | undefined;
  readonly rung?: Rung | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onEpisode?: (done: number, findings: readonly FuzzFinding[]) => void;
}

export interface FuzzFinding {
  readonly seed: number;
  readonly found: string;
  readonly scripts: readonly string[];
}

export interface FuzzReport {
  readonly episodes: number;
  readonly scored: number;
  readonly flagged: number;
  /** Episodes whose sandbox was killed from outside, and how many of them were masked. */
  readonly faults: number;
  readonly faultsMasked: number;
  /** What must not be: an episode that passed, was masked, broke the gym or took too long, and what was left over. */
  readonly findings: readonly FuzzFinding[];
}

const slowMs = 60_000;
const leftoversMs = 5_000;
const leftoversLookMs = 20;

/**
 * Plays hostile episodes, one for each seed. The same options give the same scripts; where a finding is one of timing,
 * it may not come again.
 */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { episodes, seed = 0, concurrency = 2, faultEvery = 50, rung = 'bubblewrap', signal } = options;
  // What Node opens once and keeps, such as the spare descriptor of its event loop, is there after the first gym.
  await (await createGym({ rung, poolSize: 1 })).close();
  const before = takeStock();
  const tally = new Tally(options);
  {
    await using gym = await createGym({ rung, poolSize: concurrency });
    const limit = pLimit(concurrency);
    const work = Array.from({ length: episodes }, (_, index) =>
      limit(async () => {
        if (signal?.aborted === true) return;
        const fault = (index + 1) % faultEvery === 0;
        tally.add(fault, await playEpisode(gym, makeHostileEpisode(seed + index), fault));
      }),
    );
    await Promise.all(work);
  }
  tally.addLeftovers(await findLeftovers(before));
  signal?.throwIfAborted();
  return tally.report;
}

interface Outcome {
  readonly episode: HostileEpisode;
  readonly grade: Grade | null;
  /** What was wrong with it, apart from its grade. */
  readonly broken: string | null;
}

async function playEpisode(gym: Gym, episode: HostileEpisode, fault: boolean): Promise<Outcome> {
  const started = performance.now();
  try {
    await using env = gym.createEnv();
    const grade = await playScripts(env, episode, fault);
    const took = performance.now() - started;
    return { episode, grade, broken: took > slowMs ? `it took ${Math.round(took)} ms` : null };
  } catch (error) {
    return { episode, grade: null, broken: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function playScripts(env: Env, { seed, task, scripts }: HostileEpisode, fault: boolean): Promise<Grade> {
  const short = shorten(tasks[task]);
  await env.reset({ task: short });
  if (fault) await killFromOutside(env, `fault-${process.pid}-${seed}`);
  for (const script of scripts) {
    const step = await env.step({ type: 'script', script: prepareScript(short, script) });
    if (step.info.grade !== null) return step.info.grade;
  }
  return await env.grade();
}

/** Few ticks, so that one that hangs ends early. */
function shorten(task: Task): Task {
  return { ...task, limits: { ...task.limits, steps: 4, ticks: 12, ticksPerAction: 4, wallMs: 20_000 } };
}

async function killFromOutside(env: Env, marker: string): Promise<void> {
  await env.step({ type: 'command', command: `(exec -a ${marker} tail -f /dev/null) >/dev/null 2>&1 &` });
  if (!killSandboxOf(marker)) throw new Error('Cannot find the sandbox that is to be killed');
}

class Tally {
  readonly #options: FuzzOptions;
  readonly #findings: FuzzFinding[] = [];
  readonly #counts = { episodes: 0, scored: 0, flagged: 0, faults: 0, faultsMasked: 0 };

  constructor(options: FuzzOptions) {
    this.#options = options;
  }

  get report(): FuzzReport {
    return { ...this.#counts, findings: this.#findings };
  }

  add(fault: boolean, { episode, grade, broken }: Outcome): void {
    this.#counts.episodes++;
    if (fault) this.#counts.faults++;
    if (grade?.outcome === 'scored') this.#counts.scored++;
    if (grade?.outcome === 'flagged') this.#counts.flagged++;
    const masked = grade?.outcome === 'masked';
    if (fault && masked) this.#counts.faultsMasked++;
    const found = broken ?? judge(grade, fault);
    if (found !== null) this.#findings.push({ seed: episode.seed, found, scripts: episode.scripts });
    this.#options.onEpisode?.(this.#counts.episodes, this.#findings);
  }

  addLeftovers(found: string | null): void {
    if (found !== null) this.#findings.push({ seed: this.#options.seed ?? 0, found, scripts: [] });
  }
}

interface Stock {
  readonly children: number;
  readonly descriptors: ReadonlyMap<string, string>;
}

function takeStock(): Stock {
  return { children: countChildren(), descriptors: listDescriptors() };
}

/** The pipes of a program are closed a moment after its end. */
async function findLeftovers(before: Stock): Promise<string | null> {
  const deadline = performance.now() + leftoversMs;
  for (;;) {
    const after = takeStock();
    const children = after.children - before.children;
    if (children <= 0 && after.descriptors.size <= before.descriptors.size) return null;
    if (performance.now() < deadline) {
      await pause(leftoversLookMs);
      continue;
    }
    const others = [...after.descriptors].filter(([number, target]) => before.descriptors.get(number) !== target);
    return `${children} processes and ${after.descriptors.size - before.descriptors.size} descriptors were left, among ${others.map(([, target]) => target).join(', ')}`;
  }
}

function judge(grade: Grade | null, fault: boolean): string | null {
  if (grade?.passed === true) return 'it passed';
  const masked = grade?.outcome === 'masked';
  if (fault) return masked ? null : 'its sandbox was killed from outside, and it was not masked';
  return masked ? `it was masked: ${grade.boundary}: ${grade.failure}` : null;
}
