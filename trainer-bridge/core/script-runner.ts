import { randomUUID } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import { type Env, type Grade, type Gym, hashTask, InputError, type Task } from '../../env/index.ts';
import type { Recorder } from './finished-episode.ts';
import { makeMaskedGrade } from './masked-grade.ts';
import type { CoreObserver } from './observer.ts';
import { BusyError } from './refusal.ts';
import { cancelled } from './refusals.ts';

/** One single-turn episode, its task already allowed. */
export interface PreparedJob {
  readonly task: Task;
  readonly sample: number;
  readonly script: string;
}

export interface ScriptRunnerOptions {
  readonly gym: Gym;
  readonly observer: CoreObserver;
  readonly record: Recorder;
  /** Jobs that run at once. */
  readonly concurrency: number;
  /** Worlds asked for ahead of the job that runs. */
  readonly ahead: number;
  /** Jobs that wait or run, over all requests; more is `E_BUSY`. */
  readonly maxJobs: number;
  /** Called when a request ends. */
  readonly onFree: () => void;
}

/** A masked job is tried once more. */
const attempts = 2;

/** Runs batches of single-turn episodes. Batches share the lanes fairly: each queues no more jobs than there are lanes. */
export class ScriptRunner {
  readonly #options: ScriptRunnerOptions;
  readonly #limit: LimitFunction;
  #open = 0;
  #meanJobMs = 100;

  constructor(options: ScriptRunnerOptions) {
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
  }

  /** Jobs that wait or run. */
  get open(): number {
    return this.#open;
  }

  /** One grade a job, in order. Rejects with `E_CANCELLED` once aborted; the worlds are gone by then. */
  async run(jobs: readonly PreparedJob[], signal: AbortSignal): Promise<readonly Grade[]> {
    this.#admit(jobs.length);
    try {
      return await this.#runAll(jobs, signal);
    } finally {
      this.#open -= jobs.length;
      this.#options.onFree();
    }
  }

  #admit(count: number): void {
    const { maxJobs, concurrency } = this.#options;
    if (count > maxJobs) throw tooLarge(count, maxJobs);
    if (this.#open + count > maxJobs) {
      const wait = (this.#open * this.#meanJobMs) / concurrency;
      const facts = { code: 'E_BUSY', what: 'Cannot take more scripts now', found: `${this.#open} waiting` };
      throw new BusyError(facts, Math.round(Math.min(10_000, Math.max(50, wait))));
    }
    this.#open += count;
  }

  async #runAll(jobs: readonly PreparedJob[], signal: AbortSignal): Promise<readonly Grade[]> {
    const grades: Grade[] = [];
    const prefetched = { until: 0 };
    let next = 0;
    const lane = async () => {
      while (next < jobs.length && !signal.aborted) {
        const index = next;
        next += 1;
        await this.#limit(async () => {
          this.#prefetch(jobs, index, prefetched);
          const job = jobs[index];
          if (job !== undefined && !signal.aborted) grades[index] = await this.#runJob(job, signal);
        });
      }
    };
    const lanes = Math.min(this.#options.concurrency, jobs.length);
    const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
    if (signal.aborted) throw cancelled();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return grades;
  }

  /** Asks for the worlds after `index`, as far ahead as configured, each once. */
  #prefetch(jobs: readonly PreparedJob[], index: number, done: { until: number }): void {
    const from = Math.max(done.until, index + 1);
    const requests = jobs.slice(from, index + 1 + this.#options.ahead).map(({ task, sample }) => ({ task, sample }));
    if (requests.length > 0) done.until = from + this.#options.gym.prefetch(requests);
  }

  async #runJob(job: PreparedJob, signal: AbortSignal): Promise<Grade> {
    const begin = performance.now();
    const id = randomUUID();
    for (let attempt = 0; ; attempt += 1) {
      const grade = await this.#attempt(job, { id, attempt, signal });
      if (grade.outcome === 'masked' && attempt + 1 < attempts && !signal.aborted) continue;
      this.#meanJobMs = 0.9 * this.#meanJobMs + 0.1 * (performance.now() - begin);
      return grade;
    }
  }

  async #attempt(job: PreparedJob, run: { id: string; attempt: number; signal: AbortSignal }): Promise<Grade> {
    const { gym, record, observer } = this.#options;
    const env = gym.createEnv();
    const abort = () => void this.#close(env);
    run.signal.addEventListener('abort', abort);
    try {
      const { grade, summary } = await play(env, job);
      if (run.signal.aborted) return grade;
      const { task, sample } = job;
      const facts = { id: run.id, task, taskHash: hashTask(task), sample, attempt: run.attempt };
      await record({ ...facts, grade, summary, trace: env.trace() });
      observer.graded(grade.outcome);
      return grade;
    } finally {
      run.signal.removeEventListener('abort', abort);
      await this.#close(env);
    }
  }

  async #close(env: Env): Promise<void> {
    try {
      await env.close();
    } catch (error) {
      this.#options.observer.failed('close', error);
    }
  }
}

/** A whole episode; where the machinery breaks, at any point, the grade is masked. */
async function play(env: Env, job: PreparedJob) {
  try {
    await env.reset({ task: job.task, sample: job.sample });
    await env.step({ type: 'script', script: job.script });
    const grade = await env.grade();
    return { grade, summary: env.summary() };
  } catch (error) {
    return { grade: makeMaskedGrade(error), summary: null };
  }
}

function tooLarge(count: number, maxJobs: number): InputError {
  return new InputError({
    code: 'E_SIZE',
    what: 'Cannot take that many scripts in one call',
    where: 'jobs',
    expected: `at most ${maxJobs}`,
    found: String(count),
  });
}
