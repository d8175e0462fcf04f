import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Action, hashTask, InputError, parseRunKey, type RunKey } from '../../env/index.ts';
import { makeReplayClient, type RecordedAnswer } from '../client/index.ts';
import { makeSeed, readTurn } from '../loop/index.ts';
import { type RolloutRecord, readRecords, readTrace, type TraceRecord } from '../record/index.ts';
import { makeModelPolicy } from './model.ts';
import type { ModelOptions } from './model-options.ts';
import type { Assignment, Player, Policy } from './policy.ts';
import { makeScriptedPlayer, makeScriptedPolicy } from './scripted.ts';

/**
 * Plays what another run recorded for the same tasks and samples, under that run's key: its actions, or, where a loop is
 * named, the answers of its model through that loop. open() throws an InputError (`E_REPLAY`) for an assignment that the
 * run does not hold.
 */
export function makeReplayPolicy(argument: string | null, options: ModelOptions): Policy {
  const folder = argument ?? '';
  if (!existsSync(episodesOf(folder))) throw replayError(folder, 'a run folder with episodes.jsonl', 'none');
  const name = `replay:${folder}`;
  if (options.loop !== undefined) return makeAnswerReplay(name, folder, options);
  const policy = makeScriptedPolicy(name, () => []);
  return { ...policy, open: async ({ assignments }) => await openActions(folder, assignments) };
}

/** The loop of the recorded run with its sampling; only its model is not asked again. */
function makeAnswerReplay(name: string, folder: string, options: ModelOptions): Policy {
  const policy = makeModelPolicy({
    name,
    options,
    defaultTemperature: null,
    model: null,
    connect: async (_sampling, { assignments }) => ({ client: await readClient(folder, assignments) }),
  });
  const open: Policy['open'] = async (opening) => ({ ...(await policy.open(opening)), runKey: readKey(folder) });
  return { ...policy, open };
}

async function readClient(folder: string, assignments: readonly Assignment[]) {
  const recorded: RecordedAnswer[] = [];
  let model = 'replay';
  for (const { assignment, record, trace } of await readEpisodes(folder, assignments)) {
    model = record.model ?? model;
    for (const [turn, recordedTurn] of trace.turns.entries()) {
      const seed = makeSeed({ taskSeed: assignment.task.seed, sample: assignment.sample, turn });
      recorded.push({ seed, ...readTurn(recordedTurn) });
    }
  }
  return makeReplayClient(model, recorded);
}

async function openActions(folder: string, assignments: readonly Assignment[]): Promise<Player> {
  const played = new Map<string, readonly Action[]>();
  for (const { assignment, trace } of await readEpisodes(folder, assignments)) {
    const actions = trace.lines.flatMap((line) =>
      line.type === 'action' && line.action.type !== 'done' ? [line.action] : [],
    );
    played.set(keyOf(hashTask(assignment.task), assignment.sample), actions);
  }
  return makeScriptedPlayer(({ task, sample }) => played.get(keyOf(hashTask(task), sample)) ?? [], readKey(folder));
}

interface RecordedEpisode {
  readonly assignment: Assignment;
  readonly record: RolloutRecord;
  readonly trace: TraceRecord;
}

async function readEpisodes(folder: string, assignments: readonly Assignment[]): Promise<readonly RecordedEpisode[]> {
  const episodes = episodesOf(folder);
  const records = await readRecords(episodes);
  const byKey = new Map(records.map((record) => [keyOf(record.task_hash, record.sample), record]));
  const found: RecordedEpisode[] = [];
  for (const assignment of assignments) {
    const { task, sample } = assignment;
    const record = byKey.get(keyOf(hashTask(task), sample));
    if (record === undefined) throw replayError(episodes, `an episode of ${task.id}, sample ${sample}`, 'none');
    if (record.outcome === 'masked') throw replayError(episodes, `a finished ${record.episode}`, 'a masked one');
    found.push({ assignment, record, trace: await readTrace(episodes, record) });
  }
  return found;
}

function episodesOf(folder: string): string {
  return join(folder, 'episodes.jsonl');
}

function readKey(folder: string): RunKey {
  const path = join(folder, 'run.key');
  if (!existsSync(path)) throw replayError(path, 'the recorded run key', 'none');
  return parseRunKey(readFileSync(path, 'utf8').trim());
}

function keyOf(hash: string, sample: number): string {
  return `${hash}/${sample}`;
}

function replayError(where: string, expected: string, found: string): InputError {
  return new InputError({ code: 'E_REPLAY', what: 'Cannot replay a run', where, expected, found });
}
