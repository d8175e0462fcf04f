import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { currentOwner, isAlive } from './index.ts';
import { startTimeOf } from './owner.ts';

describe('isAlive()', () => {
  const here = currentOwner();

  test('is true for this process', () => {
    expect(isAlive(here)).toBe(true);
  });

  test('is false after a reboot', () => {
    expect(isAlive({ ...here, bootId: '00000000-0000-0000-0000-000000000000' })).toBe(false);
  });

  test('is true for an owner in another pid namespace of this boot, which cannot be seen', () => {
    expect(isAlive({ ...here, pid: 999_999_999, pidNamespace: 'pid:[1]' })).toBe(true);
  });

  test('is false, when the pid was given to another process', () => {
    expect(isAlive({ ...here, startTime: '1' })).toBe(false);
  });

  test('is true while a child lives, and false once it is gone', async () => {
    const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    const owner = { ...here, pid: child.pid!, startTime: startTimeOf(child.pid!) ?? '' };
    expect(isAlive(owner)).toBe(true);
    child.stdin.end();
    await once(child, 'exit');
    expect(isAlive(owner)).toBe(false);
  });
});

describe('startTimeOf()', () => {
  test('reads past a name with blanks and parentheses', async () => {
    const child = spawn('bash', ['-c', 'printf "a) b (c" > /proc/$$/comm; echo; cat'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    expect(startTimeOf(child.pid!)).toMatch(/^\d+$/);
    child.stdin.end();
    await once(child, 'exit');
  });

  test('is null, when there is no such process', () => {
    expect(startTimeOf(999_999_999)).toBeNull();
  });
});
