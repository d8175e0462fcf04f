import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { makeTask } from '../generator/index.ts';

async function play(flags: readonly string[], input: string) {
  const args = ['--import', 'tsx', 'scripts/muxgym.ts', 'play', ...flags];
  const { exitCode, stdout } = await execa(process.execPath, args, { input, reject: false });
  return { exitCode, lines: stdout.split('\n') };
}

const id = 'cliff-d1-n2-s7';
const oracle = makeTask(id).solutions.oracle[0]?.actions[0];

describe('play', () => {
  test('play answers each action and ends with the grade, when stdin holds JSON lines', async () => {
    const input = `${[oracle, { type: 'wait', ticks: 3 }, { type: 'done' }].map((one) => JSON.stringify(one)).join('\n')}\n`;
    const { exitCode, lines } = await play(['--task', id, '--json'], input);
    const answers = lines.map((line) => JSON.parse(line));
    expect(answers[0]).toEqual({ prompt: makeTask(id).prompt });
    expect(answers[1]).toMatchObject({
      observation: { exitCode: 0, cutBytes: 0 },
      tick: 1,
      terminated: false,
      truncated: false,
    });
    expect(answers[2]).toMatchObject({ tick: 4 });
    expect(answers[3]).toMatchObject({ terminated: true });
    expect(answers[4]).toMatchObject({ grade: { outcome: 'scored', reward: 1, passed: true } });
    expect(answers).toHaveLength(5);
    expect(exitCode).toBe(0);
  });

  test('play takes the end of input for done, when nothing says it', async () => {
    const { exitCode, lines } = await play(['--task', id, '--json'], '');
    expect(lines.map((line) => Object.keys(JSON.parse(line))[0])).toEqual(['prompt', 'observation', 'grade']);
    expect(exitCode).toBe(0);
  });

  test('play answers with an error and goes on, when a line is no action', async () => {
    const { exitCode, lines } = await play(
      ['--task', id, '--json'],
      `{"type":"dance"}\n{\n${JSON.stringify(oracle)}\n`,
    );
    const answers = lines.map((line) => JSON.parse(line));
    expect(answers.slice(1, 3)).toMatchObject([
      { error: { code: 'E_ACTION' } },
      { error: { code: 'E_ACTION', found: '{' } },
    ]);
    expect(answers.at(-1)).toMatchObject({ grade: { passed: true } });
    expect(exitCode).toBe(1);
  });

  test('play gives the same secrets, when the key and the sample are the same', async () => {
    const flags = ['--task', id, '--json', '--key', '0'.repeat(64)];
    const read = async (sample: string) =>
      (await play([...flags, '--sample', sample], `${JSON.stringify(look)}\n`)).lines[1];
    const look = { type: 'command', command: 'tmux show-options -g | grep ^@' };
    const first = await read('0');
    expect(first).toMatch(/@\w+ [0-9a-f]{8}/);
    expect(await read('0')).toBe(first);
    expect(await read('1')).not.toBe(first);
  });

  test('play shows the screen and the verdict, when a person types', async () => {
    const { exitCode, lines } = await play(['--task', id], 'echo hello\n:wait 2\n:dance\n:done\n');
    const text = lines.join('\n');
    expect(text).toContain('hello\n[exit 0, tick 1]');
    expect(text).toContain('[exit -, tick 3]');
    expect(text).toContain('scored: reward 0, not passed');
    expect(exitCode).toBe(0);
  });
});

describe('doctor', () => {
  test('doctor finds the machine ready and proves the rung by use, when set-up has run', async () => {
    const args = ['--import', 'tsx', 'scripts/muxgym.ts', 'doctor', '--json'];
    const { exitCode, stdout } = await execa(process.execPath, args);
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: { name: string; status: string }[] };
    const status = Object.fromEntries(checks.map(({ name, status: value }) => [name, value]));
    expect(status).toMatchObject({ node: 'ok', tmux: 'ok', python: 'ok', muxgym: 'ok' });
    expect(status['sandbox']).toMatch(/^(ok|weak)$/);
    expect(ok).toBe(true);
    expect(exitCode).toBe(0);
  });

  test('doctor says how to mend it and ends with 1, when tmux is missing', async () => {
    const args = ['--import', 'tsx', 'scripts/muxgym.ts', 'doctor', '--json'];
    const { exitCode, stdout } = await execa(process.execPath, args, { reject: false, env: { PATH: '/nowhere' } });
    const { ok, checks } = JSON.parse(stdout) as {
      ok: boolean;
      checks: { name: string; status: string; mend: string }[];
    };
    expect(checks.find(({ name }) => name === 'tmux')).toMatchObject({
      status: 'missing',
      mend: expect.stringContaining('apt-get'),
    });
    expect(ok).toBe(false);
    expect(exitCode).toBe(1);
  });
});
