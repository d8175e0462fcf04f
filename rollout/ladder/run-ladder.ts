import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BoundaryError, InputError, type Rung, type Task } from '../../env/index.ts';
import { selectTasks } from '../../generator/index.ts';
import { isRunFinished, type RunSummary, runEpisodes } from '../run/index.ts';
import { type EntryServer, serverLog, startEntry } from './entry-server.ts';
import type { Ladder, LadderEntry, LadderSweep } from './ladder-file.ts';
import { type EntryResult, type LadderSummary, writeLadderSummary } from './ladder-summary.ts';
import { makeSweepPolicy } from './sweep-policy.ts';

export interface LadderOptions {
  readonly ladder: Ladder;
  readonly folder: string;
  /** A server that runs already, for every entry. @default each entry's own */
  readonly baseUrl?: string | undefined;
  readonly maxConcurrent?: number | undefined;
  readonly rung?: Rung | undefined;
  readonly minRung?: Rung | undefined;
  readonly clean?: boolean;
  /** Stops the ladder; what finished is kept. */
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/**
 * Serves each model in turn, lets it play every sweep, and stops its server before the next. A model whose server fails
 * is skipped with the tail of its log. Running it again goes on where it stopped: what is finished starts no server,
 * what failed is tried again. Throws an InputError for a sweep whose tasks cannot be chosen, before anything starts.
 */
export async function runLadder(options: LadderOptions): Promise<LadderSummary> {
  const { ladder, folder, signal, onProgress } = options;
  const sweeps = ladder.sweeps.map((sweep) => ({ sweep, tasks: chooseTasks(sweep) }));
  mkdirSync(folder, { recursive: true });
  const servers = ladder.models.map((entry) => new LazyServer(entry, options));
  const toPrefetch = ladder.models.map((entry) => ladder.prefetch && isToPlay(entry, options));
  const results: EntryResult[] = [];
  try {
    for (const [index, entry] of ladder.models.entries()) {
      if (signal.aborted) break;
      onProgress(`ladder: ${entry.name}, ${index + 1} of ${ladder.models.length}`);
      const server = servers[index];
      if (server === undefined) break;
      const onHealthy = () => (toPrefetch[index + 1] === true ? servers[index + 1]?.prefetch() : undefined);
      results.push(await climb({ entry, server, onHealthy, sweeps, options }));
      await server.stop();
      writeLadderSummary({ folder, ladder, results });
    }
  } finally {
    for (const server of servers) await server.stop();
  }
  return writeLadderSummary({ folder, ladder, results });
}

/** Throws as `selectTasks` does, with the sweep's name. */
function chooseTasks({ name, samples, loop, temperature, answer_tokens, ...flags }: LadderSweep): readonly Task[] {
  try {
    return [...selectTasks(flags)];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError({ ...error.facts, where: `sweep "${name}": ${error.facts.where ?? ''}`, cause: error });
  }
}

/** Whether a sweep of an entry has episodes left, so that its server will be needed. */
function isToPlay({ name }: LadderEntry, { ladder, folder, clean }: LadderOptions): boolean {
  return clean === true || ladder.sweeps.some((sweep) => !isRunFinished(join(folder, name, sweep.name)));
}

interface Climb {
  readonly entry: LadderEntry;
  readonly server: LazyServer;
  readonly onHealthy: () => void;
  readonly sweeps: readonly { readonly sweep: LadderSweep; readonly tasks: readonly Task[] }[];
  readonly options: LadderOptions;
}

async function climb({ entry, server, onHealthy, sweeps, options }: Climb): Promise<EntryResult> {
  const { folder, signal, onProgress } = options;
  const runs: Record<string, RunSummary> = {};
  try {
    for (const { sweep, tasks } of sweeps) {
      if (signal.aborted) break;
      const start = async () => {
        const running = await server.get();
        onHealthy();
        return running;
      };
      runs[sweep.name] = await runEpisodes({
        folder: join(folder, entry.name, sweep.name),
        policy: makeSweepPolicy(entry, sweep, start),
        tasks,
        samples: sweep.samples,
        maxConcurrent: options.maxConcurrent ?? entry.max_concurrent,
        clean: options.clean ?? false,
        rung: options.rung,
        minRung: options.minRung,
        split: sweep.split ?? null,
        signal,
        onProgress: (line) => onProgress(`${entry.name}/${sweep.name}: ${line}`),
      });
    }
  } catch (error) {
    if (signal.aborted) return { entry, runs, failure: null };
    return { entry, runs, failure: describeFailure(error, entry, options) };
  }
  return { entry, runs, failure: null };
}

/** A model that cannot be served or asked is skipped; anything else ends the ladder. */
function describeFailure(error: unknown, entry: LadderEntry, { folder, onProgress }: LadderOptions) {
  const skips = error instanceof BoundaryError && error.boundary === 'model';
  const refused =
    error instanceof InputError && ['E_CHECKPOINT', 'E_MODEL', 'E_TOOLS', 'E_API_KEY'].includes(error.code);
  if (!skips && !refused) throw error;
  const tail = readTail(serverLog(join(folder, entry.name)));
  onProgress(`ladder: ${entry.name} skipped: ${error.code}: ${error.message}`);
  for (const line of tail) onProgress(`ladder: ${entry.name} | ${line}`);
  return { code: error.code, message: error.message, log_tail: tail };
}

function readTail(logFile: string): readonly string[] {
  try {
    return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The server of an entry, started when it is first needed. */
class LazyServer {
  readonly #entry: LadderEntry;
  readonly #options: LadderOptions;
  #starting: Promise<EntryServer> | null = null;

  constructor(entry: LadderEntry, options: LadderOptions) {
    this.#entry = entry;
    this.#options = options;
  }

  get(): Promise<EntryServer> {
    const { folder, baseUrl, signal, onProgress } = this.#options;
    const say = (line: string) => onProgress(`${this.#entry.name}: ${line}`);
    this.#starting ??= startEntry({
      ...{ entry: this.#entry, folder: join(folder, this.#entry.name), baseUrl, signal, onProgress: say },
    });
    return this.#starting;
  }

  /** Begins the start; a failure is told by get(). */
  prefetch(): void {
    this.get().catch(() => undefined);
  }

  /** After a start that is under way. Idempotent. */
  async stop(): Promise<void> {
    const [started] = await Promise.allSettled([this.#starting]);
    if (started?.status === 'fulfilled') await started.value?.stop();
  }
}
