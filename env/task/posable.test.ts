import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { requirePosable, type SetupOperation, type Task, taskSchema } from './index.ts';

const golden = taskSchema.parse(JSON.parse(readFileSync(new URL('../golden/task.json', import.meta.url), 'utf8')));
const check = golden.checks[0]!;
const withPlan = (...plan: SetupOperation[]): Task => ({ ...golden, plan });
const file = (path: string, content = ''): SetupOperation => ({ type: 'file', path, content });
const refused = (where: string | RegExp) =>
  expect.objectContaining({ name: 'InputError', code: 'E_TASK', message: expect.stringMatching(where) });

describe('requirePosable()', () => {
  test('takes the golden task', () => {
    expect(() => requirePosable(golden)).not.toThrow();
  });

  test.each<[string, Task, RegExp]>([
    ['is none', { id: 'x' } as Task, /task "x".*at suite/],
    ['is nothing', null as unknown as Task, /Cannot pose task/],
    ['makes a file twice', withPlan(file('a'), file('b'), file('a')), /at plan\.2.*"a" a second time/],
    ['makes a window twice', withPlan({ type: 'window', name: 'w' }, { type: 'window', name: 'w' }), /at plan\.1.*"w"/],
    ['takes the name of the shell', withPlan({ type: 'window', name: 'shell' }), /at plan\.0.*"shell"/],
    ['holds more than HOME', withPlan(file('a', 'x'.repeat(5 << 20))), /at plan.*bytes of files/],
    ['sets up a secret that it does not have', withPlan(file('a', '{{slot:2}}')), /slot:2.*only 2 slots/],
    ['checks a secret that it does not have', { ...golden, checks: [{ ...check, expect: ['{{slot:9}}'] }] }, /slot:9/],
    [
      'checks by a pattern that is none',
      { ...golden, checks: [{ ...check, op: 'regex', expect: ['('] }] },
      /at checks\.0/,
    ],
  ])('refuses with E_TASK and says where, when the task %s', (_, task, message) => {
    expect(() => requirePosable(task)).toThrow(refused(message));
  });
});
