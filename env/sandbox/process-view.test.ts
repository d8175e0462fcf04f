import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DescendantView } from './process-view.ts';

describe('DescendantView', () => {
  test('sees children and grandchildren of its ancestor, and nothing else', async () => {
    // A job in the background reads /dev/null unless it is told otherwise, and would be gone at once.
    const script = 'bash -c "echo \\$\\$; cat" <&0 & echo $$; cat';
    const child = spawn('bash', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    let text = '';
    while (text.split('\n').length < 3) text += String(await once(child.stdout, 'data'));
    const view = new DescendantView(child.pid!);
    const said = text.trim().split('\n').map(Number);
    const pids = view.pids();
    expect(pids).toEqual(expect.arrayContaining(said.filter((pid) => pid !== child.pid)));
    expect(pids).not.toContain(process.pid);
    expect(pids).not.toContain(child.pid);
    const exited = once(child, 'exit');
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    child.stdin.end();
    await exited;
    expect(view.pids()).toEqual([]);
  });

  test('answers null, when the process is gone', () => {
    const view = new DescendantView(process.pid);
    expect(view.read(999_999_999, 'status')).toBeNull();
    expect(view.readMemory(999_999_999, 0n, 8)).toBeNull();
    expect(view.executable(999_999_999)).toBeNull();
    expect(view.threads(999_999_999)).toEqual([]);
  });

  test('names the executable by device and inode', () => {
    const { dev, ino } = statSync(process.execPath);
    expect(new DescendantView(1).executable(process.pid)).toBe(`${dev}:${ino}`);
  });
});
