import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { observationSchema } from './episode/index.ts';
import { gradeSchema } from './grade/index.ts';
import { actionSchema, episodeRecordSchema, taskSchema, traceLineSchema } from './index.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./golden/${name}.json`, import.meta.url), 'utf8'));

const contracts: readonly (readonly [string, z.ZodType, readonly unknown[]])[] = [
  ['task', taskSchema, [read('task')]],
  ['action', actionSchema, read('actions') as unknown[]],
  ['observation', observationSchema, [read('observation')]],
  ['grade', gradeSchema, read('grades') as unknown[]],
  ['episode record', episodeRecordSchema, [read('episode-record')]],
  ['trace line', traceLineSchema, read('trace') as unknown[]],
];

describe.each(contracts)('the golden %s', (_, schema, values) => {
  test('parses and comes back unchanged', () => {
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(JSON.parse(JSON.stringify(schema.parse(value)))).toEqual(value);
  });

  test('is refused, when any one of its fields is missing', () => {
    for (const value of values as Record<string, unknown>[]) {
      for (const field of Object.keys(value)) {
        const { [field]: _dropped, ...rest } = value;
        expect(schema.safeParse(rest).success, `without "${field}"`).toBe(false);
      }
    }
  });
});

test('the golden actions have every kind', () => {
  expect((read('actions') as { type: string }[]).map(({ type }) => type)).toEqual(
    actionSchema.options.map((option) => option.shape.type.value),
  );
});

test('the golden trace has every kind of line', () => {
  expect((read('trace') as { type: string }[]).map(({ type }) => type)).toEqual(
    traceLineSchema.options.map((option) => option.shape.type.value),
  );
});

test('episodeRecordSchema lets fields of later versions pass, and traceLineSchema does not', () => {
  const record = { ...(read('episode-record') as object), added_later: 1 };
  expect(episodeRecordSchema.safeParse(record).success).toBe(true);
  const [line] = read('trace') as object[];
  expect(traceLineSchema.safeParse({ ...line, added: 1 }).success).toBe(false);
});
