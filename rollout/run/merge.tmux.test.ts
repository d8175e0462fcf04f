import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeRunKey } from '../../env/index.ts';
import { makeCliffTask } from '../../generator/index.ts';
import { readArrow } from '../arrow/index.ts';
import { makePolicy } from '../policy/index.ts';
import { readRecords, readTrace } from '../record/index.ts';
import { mergeRuns, type RunOptions, replayEpisode, runEpisodes } from './index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-merge-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const tasks = [0, 1, 2, 3, 4].map((seed) => makeCliffTask({ profile: 'fair', depth: 0, ops: 1, seed }));
const onProgress = () => undefined;
const optionsOf = (name: string, changes: Partial<RunOptions> = {}): RunOptions => ({
  ...{ folder: join(folder, name), policy: makePolicy('oracle'), tasks, signal: new AbortController().signal },
  ...{ onProgress, ...changes },
});
/** The i-th of two shards, from 1. */
const playShard = (index: number, changes: Partial<RunOptions> = {}) =>
  runEpisodes(
    optionsOf(`shard-${index}`, {
      tasks: tasks.filter((_, place) => place % 2 === index - 1),
      selection: { seeds: '0-4', shard: `${index}/2` },
      ...changes,
    }),
  );
const merge = (...names: readonly string[]) =>
  mergeRuns({ runs: names.map((name) => join(folder, name)), folder: join(folder, 'whole'), onProgress });

describe('mergeRuns()', () => {
  test('makes the run that the shards are parts of, which replays and which the command of the whole finds finished', async () => {
    const runKey = makeRunKey();
    const parts = [await playShard(1, { runKey }), await playShard(2, { runKey })];
    const merged = await merge('shard-1', 'shard-2');
    expect(merged).toMatchObject({ complete: true, totals: { episodes: 5, passed: 5 } });
    const records = await readRecords(merged.episodes_file);
    for (const record of records) expect((await readTrace(merged.episodes_file, record)).episode).toBe(record.episode);
    const tables = await Promise.all(parts.map(({ steps_file }) => readArrow(steps_file)));
    expect((await readArrow(merged.steps_file)).table.numRows).toBe(
      tables.reduce((sum, { table }) => sum + table.numRows, 0),
    );
    expect(await replayEpisode(merged.run, records.at(-1)!.episode)).toMatchObject({ same: true });
    const before = readFileSync(merged.episodes_file);
    expect(await runEpisodes(optionsOf('whole', { selection: { seeds: '0-4' } }))).toMatchObject({ complete: true });
    expect(readFileSync(merged.episodes_file).equals(before)).toBe(true);
  });

  test('makes a run that goes on, when a shard is missing', async () => {
    await playShard(1);
    expect(await merge('shard-1')).toMatchObject({ complete: true, totals: { episodes: 3 } });
    const whole = join(folder, 'whole');
    await expect(runEpisodes(optionsOf('whole'))).rejects.toMatchObject({ code: 'E_CONFIG_CHANGED' });
    rmSync(whole, { recursive: true });
    await playShard(2, { signal: AbortSignal.abort(new Error('stop')) });
    expect(await merge('shard-1', 'shard-2')).toMatchObject({ complete: false, totals: { episodes: 3 } });
    expect(await runEpisodes(optionsOf('whole'))).toMatchObject({ complete: true, totals: { episodes: 5, passed: 5 } });
  });

  test('throws E_MERGE, when configurations differ, an episode comes twice, or the folder is taken', async () => {
    await playShard(1);
    await playShard(2, { policy: makePolicy('noop') });
    await expect(merge('shard-1', 'shard-2')).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.stringMatching(/policy: "oracle" to "noop"/),
    });
    await expect(merge('shard-1', 'shard-1')).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.stringMatching(/no episode of/),
    });
    await expect(merge('shard-1', 'nothing')).rejects.toMatchObject({ code: 'E_MERGE' });
    const itself = { runs: [join(folder, 'shard-1')], folder: join(folder, 'shard-1'), clean: true, onProgress };
    await expect(mergeRuns(itself)).rejects.toMatchObject({ code: 'E_MERGE' });
    expect(await readRecords(join(folder, 'shard-1', 'episodes.jsonl'))).toHaveLength(3);
    await merge('shard-1');
    await expect(merge('shard-1')).rejects.toMatchObject({
      code: 'E_MERGE',
      message: expect.stringMatching(/a folder without a run/),
    });
  });
});
