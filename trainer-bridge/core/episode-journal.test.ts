import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { episodeRecordSchema, type TaskHash, traceLineSchema } from '../../env/index.ts';
import { EpisodeJournal } from './episode-journal.ts';
import { findFakeTask } from './fake-gym.test-double.ts';
import type { FinishedEpisode } from './finished-episode.ts';
import { makeMaskedGrade } from './masked-grade.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function finish(id: string): FinishedEpisode {
  const grade = makeMaskedGrade(new Error('broke'));
  return {
    ...{ id, grade },
    task: findFakeTask('fake-d2-s7'),
    taskHash: 'ab'.repeat(32) as TaskHash,
    sample: 3,
    attempt: 0,
    summary: null,
    trace: [{ type: 'grade', tick: 0, grade }],
  };
}

const lines = (file: string) => readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1);

test('append() writes valid records that point at their traces, when many finish together', async () => {
  await using journal = await EpisodeJournal.open(folder, 'cliff:train');
  await Promise.all(Array.from({ length: 20 }, (_, index) => journal.append(finish(`e${index}`))));
  const records = lines('episodes.jsonl').map((line) => episodeRecordSchema.parse(JSON.parse(line)));
  expect(records).toHaveLength(20);
  expect(new Set(records.map(({ episode }) => episode)).size).toBe(20);
  expect(records[4]).toMatchObject({
    policy: 'served',
    split: 'cliff:train',
    outcome: 'masked',
    reward: null,
    sample: 3,
  });
  const traces = readFileSync(join(folder, 'traces.jsonl'));
  for (const { trace } of records) {
    const offset = Number(trace.split('#')[1]);
    const end = traces.indexOf('\n', offset);
    expect(traceLineSchema.parse(JSON.parse(traces.subarray(offset, end).toString())).type).toBe('grade');
  }
});

test('open() cuts off a torn last line and goes on after the whole ones', async () => {
  {
    await using journal = await EpisodeJournal.open(folder, null);
    await journal.append(finish('first'));
  }
  appendFileSync(join(folder, 'episodes.jsonl'), '{"schema":1,"epis');
  appendFileSync(join(folder, 'traces.jsonl'), `{"type":"${'x'.repeat(200_000)}`);
  await using journal = await EpisodeJournal.open(folder, null);
  await journal.append(finish('second'));
  const records = lines('episodes.jsonl').map((line) => episodeRecordSchema.parse(JSON.parse(line)));
  expect(records.map(({ episode }) => episode.split('-').at(-1))).toEqual(['first', 'second']);
  const offset = Number(records[1]?.trace.split('#')[1]);
  expect(offset).toBe(statSync(join(folder, 'traces.jsonl')).size / 2);
});

test('append() rejects, when the disk cannot be written', async () => {
  const journal = await EpisodeJournal.open(folder, null);
  await journal.close();
  await expect(journal.append(finish('late'))).rejects.toMatchObject({ code: 'E_JOURNAL', boundary: 'bridge' });
});
