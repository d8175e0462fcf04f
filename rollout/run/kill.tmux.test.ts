import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import seedrandom from 'seedrandom';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../../env/index.ts';
import { readArrow } from '../arrow/index.ts';
import { rolloutRecordSchema, traceRecordSchema } from '../record/index.ts';

/** Times the run is killed: 20 of 100 episodes is the whole proof, a few of a part of them the default. */
const kills = Number(process.env['MUXGYM_KILLS'] ?? 3);
const episodes = kills * 5;

let folder: string;
let run: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-kill-'));
  run = join(folder, 'run');
});
afterEach(() => rmSync(folder, { recursive: true }));

const startRun = () => {
  const tasks = ['--depths', 'D0', '--ops', '1', '--seeds', `0-${episodes - 1}`];
  const flags = ['eval', '--policy', 'oracle', ...tasks, '--out', run, '--max-concurrent', '4', '--json'];
  return execa(process.execPath, ['--import', 'tsx', join(packageRoot(), 'scripts', 'muxgym.ts'), ...flags], {
    reject: false,
    cwd: packageRoot(),
  });
};
const readWholeLines = (name: string) => {
  const path = join(run, name);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
};
/** As JSON has it. */
const toPlain = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner)));

describe('muxgym eval', () => {
  test(`has each of ${episodes} episodes once, whole and alike in every file, when it was killed ${kills} times at seeded points`, async () => {
    const random = seedrandom.alea('kill');
    let before: readonly string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const child = startRun();
      const lines = Math.floor(random() * 6);
      const milliseconds = Math.floor(random() * 120);
      const ended = { exit: false };
      void child.then(() => Object.assign(ended, { exit: true }));
      const reached = () => ended.exit || readWholeLines('episodes.jsonl').length >= before.length + lines;
      await expect.poll(reached, { timeout: 100_000, interval: 5 }).toBe(true);
      await delay(milliseconds);
      child.kill('SIGKILL');
      await child;
      const now = readWholeLines('episodes.jsonl');
      expect(now.slice(0, before.length)).toEqual(before);
      before = now;
    }
    const last = await startRun();
    expect(last.exitCode, last.stderr).toBe(0);
    expect(JSON.parse(last.stdout)).toMatchObject({
      complete: true,
      totals: { episodes, passed: episodes, masked: 0 },
    });

    const text = readFileSync(join(run, 'episodes.jsonl'), 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    const records = readWholeLines('episodes.jsonl').map((line) => rolloutRecordSchema.parse(JSON.parse(line)));
    expect(records).toHaveLength(episodes);
    expect(new Set(records.map(({ episode }) => episode)).size).toBe(episodes);
    for (const line of readWholeLines('traces.jsonl')) traceRecordSchema.parse(JSON.parse(line));
    const rows = (await readArrow(join(run, 'rollouts.arrow'))).table.toArray().map(toPlain);
    const sorted = (list: readonly { readonly episode: string }[]) =>
      list.toSorted((a, b) => (a.episode < b.episode ? -1 : 1));
    expect(sorted(rows.map((row: object) => rolloutRecordSchema.parse({ schema: 1, ...row })))).toEqual(
      sorted(records),
    );
    const steps = (await readArrow(join(run, 'steps.arrow'))).table;
    expect(steps.numRows).toBe(records.reduce((sum, record) => sum + record.steps, 0));
  }, 1_200_000);
});
