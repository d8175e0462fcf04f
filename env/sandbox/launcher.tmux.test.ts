import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandboxFactory, heldSocket, LauncherGone, type Sandbox, type SandboxFactories } from './index.ts';
import type { LaunchOptions } from './launcher.ts';

let sandboxes: SandboxFactories;
let sandbox: Sandbox;
beforeAll(async () => {
  sandboxes = await createSandboxFactory({ rung: 'bubblewrap', minRung: 'bubblewrap' });
  sandbox = await sandboxes.factory.create();
});
afterAll(async () => {
  await sandbox?.close();
  sandboxes?.close();
});

const run = async (options: LaunchOptions) => {
  const { code, output, cutBytes } = await sandbox.launcher.run(options).exited;
  return { code, text: output.toString(), cutBytes };
};
const bash = (command: string, outputLimit = 65_536) => run({ argv: ['bash', '-c', command], outputLimit });

describe('Launcher.run()', () => {
  test('gives output of both streams in order, and the exit code', async () => {
    expect(await bash('echo a; echo b >&2; echo c; exit 7')).toEqual({ code: 7, text: 'a\nb\nc\n', cutBytes: 0 });
  });

  test.each([
    ['true', 0],
    ['kill -9 $$', 137],
    ['kill -TERM $$', 143],
    ['no-such-command', 127],
    ['/etc/passwd', 126],
    ['exit 255', 255],
  ])('counts the end of "%s" as a shell does', async (command, code) => {
    expect((await bash(command)).code).toBe(code);
  });

  test('says what a shell says, when the program is missing', async () => {
    expect(await run({ argv: ['/no/such'] })).toMatchObject({
      code: 127,
      text: '/no/such: No such file or directory\n',
    });
  });

  test('hands arguments and standard input over unchanged', async () => {
    const odd = ['', ' ', "it's", '"', '$HOME', 'naïve ✓\n日本', '-n', '*'];
    expect((await run({ argv: ['printf', '%s|', ...odd] })).text).toBe(`${odd.join('|')}|`);
    expect((await run({ argv: ['cat'], input: `${'✓'.repeat(100_000)}\0end` })).text).toBe(
      `${'✓'.repeat(100_000)}\0end`,
    );
    expect((await run({ argv: ['cat'] })).text).toBe('');
  });

  test('takes the longest command that an action may have', async () => {
    const command = `#${'日'.repeat(32_700)}\necho ok`;
    expect((await bash(command)).text).toBe('ok\n');
  });

  test('answers as a shell, when the arguments are too many for the kernel', async () => {
    const argv = ['echo', ...Array.from({ length: 256 }, () => '日'.repeat(4_096))];
    expect(await run({ argv })).toMatchObject({ code: 126, text: 'echo: Argument list too long\n' });
  });

  test('runs every command in HOME, in a session of its own', async () => {
    expect((await bash('pwd; cd /tmp; ps -o sid= -p $$ | tr -d " "; echo $$')).text).toMatch(
      new RegExp(`^${sandbox.homeInside}\n(\\d+)\n\\1\n$`),
    );
    expect((await bash('pwd')).text).toBe(`${sandbox.homeInside}\n`);
  });

  test('runs many at once, and keeps their outputs apart', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, (_, index) => bash(`seq ${index} 500; exit ${index}`)));
    for (const [index, { code, text }] of all.entries()) {
      expect(code).toBe(index);
      expect(text.split('\n')).toHaveLength(502 - index);
      expect(text.startsWith(`${index}\n`)).toBe(true);
    }
  });
});

describe('the output limit', () => {
  test('keeps what fits exactly', async () => {
    expect(await bash('head -c 256 /dev/zero | tr "\\0" x', 256)).toEqual({
      code: 0,
      text: 'x'.repeat(256),
      cutBytes: 0,
    });
    expect(await bash('head -c 257 /dev/zero | tr "\\0" x', 256)).toEqual({
      code: 0,
      text: 'x'.repeat(256),
      cutBytes: 1,
    });
  });

  // BR-25: output without end.
  test('counts the rest, when the output is long, endless in lines, or without any', async () => {
    const numbers = await bash('seq 1 2000000');
    expect(numbers.text).toBe(
      `${Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('')}`.slice(0, 65_536),
    );
    expect(numbers.cutBytes).toBe(14_888_896 - 65_536);
    expect(await bash('yes | head -c 300M')).toMatchObject({ code: 0, cutBytes: (300 << 20) - 65_536 });
    expect(await bash('head -c 20M /dev/zero')).toMatchObject({ code: 0, cutBytes: (20 << 20) - 65_536 });
    expect(await bash('echo next')).toEqual({ code: 0, text: 'next\n', cutBytes: 0 });
  });

  test('holds for each command, not for what a background job prints after its end', async () => {
    const first = await bash('echo first; (yes & ) ; exit 3', 256);
    expect(first.code).toBe(3);
    expect(first.text.startsWith('first\n')).toBe(true);
    expect(await bash('echo second')).toEqual({ code: 0, text: 'second\n', cutBytes: 0 });
    expect((await bash('pkill -9 yes; echo gone')).text).toBe('gone\n');
  });

  // BR-46: a grandchild holds the output.
  test('does not wait for a child that holds the output open', async () => {
    const started = performance.now();
    expect(await bash('setsid sleep 60 & echo ok')).toMatchObject({ code: 0, text: 'ok\n' });
    expect(performance.now() - started).toBeLessThan(2_000);
    await bash('pkill -9 sleep');
  });
});

describe('Launched.kill()', () => {
  test('ends the whole session of a command, and nothing else', async () => {
    const other = sandbox.launcher.run({ argv: ['cat', '/dev/tty'] });
    await other.exited;
    const bystander = sandbox.launcher.run({ argv: ['bash', '-c', 'echo ready; tail -f /dev/null'] });
    const victim = sandbox.launcher.run({
      argv: [
        'bash',
        '-c',
        '(trap "" TERM; tail -F /trapped >/dev/null 2>&1 &); setsid tail -F /none & echo up; tail -f /dev/null',
      ],
    });
    await expect.poll(() => `${victim.output()}${bystander.output()}`).toMatch(/up\n[\s\S]*ready\n/);
    victim.kill();
    expect((await victim.exited).code).toBe(137);
    expect((await bash('pgrep -af "^tail" | cut -d" " -f2-')).text).toBe('tail -f /dev/null\ntail -F /none\n');
    bystander.kill();
    expect((await bystander.exited).code).toBe(137);
    await bash('pkill -9 tail');
  });
});

describe('Launcher.signal()', () => {
  test('reaches a process by its pid inside, and not the init', async () => {
    const launched = sandbox.launcher.run({ argv: ['tail', '-f', '/dev/null'] });
    sandbox.launcher.signal(1, 9);
    sandbox.launcher.signal(await launched.started, 15);
    expect((await launched.exited).code).toBe(143);
  });
});

describe('Launcher.holdSocket()', () => {
  test('leads to the server that listened then, when its name was given to another', async () => {
    const start = (name: string) => bash(`tmux -f /dev/null new-session -d -s ${name} cat`);
    await start('first');
    sandbox.launcher.holdSocket();
    await bash('mv /tmp/tmux-$UID/default /tmp/tmux-$UID/moved');
    await start('second');
    const ask = async (...socket: string[]) =>
      (await run({ argv: ['tmux', '-N', ...socket, 'list-sessions', '-F', '#S'] })).text;
    expect(await ask()).toBe('second\n');
    expect(await ask('-S', heldSocket)).toBe('first\n');
    expect(await ask('-L', 'moved')).toBe('first\n');
    await bash('tmux kill-server; tmux -L moved kill-server');
  });
});

test('LauncherGone comes from every call, when the sandbox has ended', async () => {
  const own = await sandboxes.factory.create();
  const waiting = own.launcher.run({ argv: ['tail', '-f', '/dev/null'] });
  await waiting.started;
  await own.kill();
  await expect(waiting.exited).rejects.toThrow(LauncherGone);
  await expect(own.launcher.run({ argv: ['true'] }).started).rejects.toThrow(LauncherGone);
  own.launcher.signal(2, 15);
  waiting.kill();
  await own.close();
});
