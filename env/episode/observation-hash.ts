import { createHash } from 'node:crypto';
import { normalizeObservation } from './normalize.ts';
import type { Observation } from './observation.ts';

/** SHA-256 over an episode's observations, in order: as they were, and with placeholders for what cannot repeat. */
export class ObservationHash {
  readonly #normalized = createHash('sha256');
  readonly #raw = createHash('sha256');
  #replacedBytes = 0;

  add(observation: Observation): void {
    const { text, replacedBytes } = normalizeObservation(observation.text);
    this.#normalized.update(formatLine({ ...observation, text }));
    this.#raw.update(formatLine(observation));
    this.#replacedBytes += replacedBytes;
  }

  /** Hex digests so far. */
  digest(): { readonly normalized: string; readonly raw: string; readonly replacedBytes: number } {
    return {
      normalized: this.#normalized.copy().digest('hex'),
      raw: this.#raw.copy().digest('hex'),
      replacedBytes: this.#replacedBytes,
    };
  }
}

function formatLine({ text, exitCode, cutBytes }: Observation): string {
  return `${JSON.stringify([text, exitCode, cutBytes])}\n`;
}
