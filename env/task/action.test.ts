import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actionSchema } from './index.ts';

const isValid = (action: unknown): boolean => actionSchema.safeParse(action).success;

describe('actionSchema', () => {
  test('round-trips whatever a model may write', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    const some = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
    const action = fc.oneof(
      fc.record({ type: fc.constant('command'), command: text }),
      fc.record({ type: fc.constant('script'), script: text }),
      fc.record({ type: fc.constant('keys'), target: some, keys: fc.array(some, { minLength: 1, maxLength: 20 }) }),
      fc.record({ type: fc.constant('wait'), ticks: fc.integer({ min: 1, max: 100_000 }) }),
      fc.constant({ type: 'done' }),
    );
    fc.assert(
      fc.property(action, (value) => {
        expect(actionSchema.parse(JSON.parse(JSON.stringify(value)))).toEqual(value);
      }),
    );
  });

  test.each(['command', 'script'])('bounds a %s at 32,768 characters', (type) => {
    expect(isValid({ type, [type]: 'x'.repeat(32_768) })).toBe(true);
    expect(isValid({ type, [type]: 'x'.repeat(32_769) })).toBe(false);
  });

  test('bounds keys, in number and in length', () => {
    const keys = (target: string, list: string[]) => isValid({ type: 'keys', target, keys: list });
    expect(keys('t'.repeat(256), Array(256).fill('k'))).toBe(true);
    expect(keys('%1', ['k'.repeat(4_096)])).toBe(true);
    expect(keys('', ['k'])).toBe(false);
    expect(keys('t'.repeat(257), ['k'])).toBe(false);
    expect(keys('%1', [])).toBe(false);
    expect(keys('%1', [''])).toBe(false);
    expect(keys('%1', Array(257).fill('k'))).toBe(false);
    expect(keys('%1', ['k'.repeat(4_097)])).toBe(false);
  });

  test.each([0, -1, 0.5, 100_001, '3', Number.NaN])('refuses to wait %s ticks', (ticks) => {
    expect(isValid({ type: 'wait', ticks })).toBe(false);
  });

  test.each([
    null,
    'tmux ls',
    {},
    { type: 'shell', command: 'x' },
    { type: 'command' },
    { type: 'command', command: 'x', extra: 1 },
    { type: 'done', reason: 'x' },
  ])('refuses %j', (action) => {
    expect(isValid(action)).toBe(false);
  });
});
