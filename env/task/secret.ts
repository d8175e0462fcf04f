import { createHmac, randomBytes } from 'node:crypto';
import type { RunKey, TaskHash } from './id.ts';

/** Draws a new run key from the system's random source. */
export function makeRunKey(): RunKey {
  return randomBytes(32).toString('hex') as RunKey;
}

/** Throws a RangeError unless `text` is 64 lower-case hex digits. */
export function parseRunKey(text: string): RunKey {
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw new RangeError('Cannot use a run key: expected 64 lower-case hex digits');
  }
  return text as RunKey;
}

/**
 * The secrets of one episode: `count` strings of 8 hex digits. Each is the head of
 * HMAC-SHA256(run key, "task hash/sample/slot"), so a group shares its secrets by sharing `sample`, and a later epoch
 * gets others by another.
 */
export function makeSecrets(key: RunKey, hash: TaskHash, sample: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, slot) =>
    createHmac('sha256', key).update(`${hash}/${sample}/${slot}`).digest('hex').slice(0, 8),
  );
}

/** Replaces each `{{slot:N}}` of a template. Throws a RangeError where N names no secret. */
export function fillTemplate(template: string, secrets: readonly string[]): string {
  return template.replace(/\{\{slot:(\d+)\}\}/g, (_, digits: string) => {
    const secret = secrets[Number(digits)];
    if (secret === undefined) throw new RangeError(`Cannot fill slot ${digits}: the task has ${secrets.length} slots`);
    return secret;
  });
}

/** Fills every template of a value, however deep it lies; the value keeps its shape. */
export function fillDeep<Value>(value: Value, secrets: readonly string[]): Value {
  if (typeof value === 'string') return fillTemplate(value, secrets) as Value;
  if (Array.isArray(value)) return value.map((each: unknown) => fillDeep(each, secrets)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillDeep(each, secrets)])) as Value;
}
