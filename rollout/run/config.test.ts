import { describe, expect, test } from 'vitest';
import { makeCliffTask } from '../../generator/index.ts';
import { makePolicy } from '../policy/index.ts';
import { type ConfigParts, makeRunConfig, requireSameConfig } from './config.ts';

const task = (seed: number) => makeCliffTask({ profile: 'fair', depth: 0, ops: 1, seed });
const parts: ConfigParts = {
  policy: makePolicy('oracle'),
  tasks: [task(0), task(1)],
  samples: 1,
  timeoutMs: null,
  setting: { delivery: 'poll', clock: 'virtual', shaping: true } as const,
  selection: { seeds: '0-1' },
  split: null,
};
const before = makeRunConfig(parts);

describe('requireSameConfig()', () => {
  test('accepts the same tasks, when other flags chose them', () => {
    requireSameConfig('run', before, makeRunConfig({ ...parts, selection: { seeds: '0,1' } }));
  });

  test('names every changed key with both values', () => {
    const now = makeRunConfig({ ...parts, policy: makePolicy('noop'), samples: 3, timeoutMs: 5_000 });
    const check = () => requireSameConfig('run', before, now);
    expect(check).toThrow(expect.objectContaining({ code: 'E_CONFIG_CHANGED' }));
    expect(check).toThrow('policy: "oracle" to "noop"; samples: 1 to 3; timeout_s: null to 5');
  });

  test('names the flags that chose the tasks, or their hash, when the tasks differ', () => {
    const tasks = [task(0), task(2)];
    const byFlags = makeRunConfig({ ...parts, tasks, selection: { seeds: '0,2' } });
    const bySelf = makeRunConfig({ ...parts, tasks });
    expect(() => requireSameConfig('run', before, byFlags)).toThrow('changes of seeds: "0-1" to "0,2"');
    expect(() => requireSameConfig('run', before, bySelf)).toThrow('tasks_sha256');
  });

  test.each(['kinds', 'levels', 'counts', 'arms', 'delegations'])('names --%s, when it chose other tasks', (flag) => {
    const now = makeRunConfig({ ...parts, tasks: [task(2)], selection: { seeds: '0-1', [flag]: 'x' } });
    expect(() => requireSameConfig('run', before, now)).toThrow(`${flag}: null to "x"`);
  });

  test('compares models once both are known', () => {
    const named = (model: string | null) => ({ ...before, context: { ...before.context, model } });
    requireSameConfig('run', named(null), named('a'));
    requireSameConfig('run', named('a'), named(null));
    expect(() => requireSameConfig('run', named('a'), named('b'))).toThrow('model: "a" to "b"');
  });
});
