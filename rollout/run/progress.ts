import type { RolloutRecord } from '../record/index.ts';
import type { PlannedEpisode } from './plan.ts';

/** Which episodes of a plan are on the disk, told as they come, at most once a second and at the end. */
export class RunProgress {
  readonly #planned: readonly PlannedEpisode[];
  readonly #records = new Map<string, RolloutRecord>();
  readonly #onProgress: (line: string) => void;
  readonly #began = performance.now();
  readonly #before: number;
  #told = 0;

  constructor(
    planned: readonly PlannedEpisode[],
    finished: readonly RolloutRecord[],
    onProgress: (line: string) => void,
  ) {
    this.#planned = planned;
    this.#onProgress = onProgress;
    const keys = new Set(planned.map(({ hash, sample }) => keyOf(hash, sample)));
    for (const record of finished) {
      const key = keyOf(record.task_hash, record.sample);
      if (keys.has(key)) this.#records.set(key, record);
    }
    this.#before = this.#records.size;
    if (this.#before > 0) onProgress(`eval: ${this.#before} of ${planned.length} episodes are on the disk`);
  }

  get records(): readonly RolloutRecord[] {
    return [...this.#records.values()];
  }

  get remaining(): readonly PlannedEpisode[] {
    return this.#planned.filter(({ hash, sample }) => !this.#records.has(keyOf(hash, sample)));
  }

  add(record: RolloutRecord): void {
    this.#records.set(keyOf(record.task_hash, record.sample), record);
    const now = performance.now();
    if (now - this.#told < 1_000 && this.#records.size < this.#planned.length) return;
    this.#told = now;
    this.#onProgress(this.#describe(now));
  }

  #describe(now: number): string {
    const passed = this.records.filter((record) => record.passed).length;
    const masked = this.records.filter((record) => record.outcome === 'masked').length;
    const speed = ((this.#records.size - this.#before) * 1_000) / (now - this.#began);
    const share = `${this.#records.size}/${this.#planned.length} episodes`;
    return `eval: ${share}, ${passed} passed, ${masked} masked, ${speed.toFixed(1)}/s`;
  }
}

function keyOf(hash: string, sample: number): string {
  return `${hash}/${sample}`;
}
