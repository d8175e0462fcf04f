import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Action, hashTask, InputError, parseRunKey } from '../../env/index.ts';
import { type RolloutRecord, readRecords, readTrace } from '../record/index.ts';
import type { Assignment, Player, Policy } from './policy.ts';
import { makeScriptedPlayer, makeScriptedPolicy } from './scripted.ts';

/**
 * Plays the actions that another run recorded for the same tasks and samples, under that run's key. open() throws an
 * InputError (`E_REPLAY`) for an assignment that the run does not hold.
 */
export function makeReplayPolicy(argument: string | null): Policy {
  const folder = argument ?? '';
  const episodes = join(folder, 'episodes.jsonl');
  if (!existsSync(episodes)) throw replayError(folder, 'a run folder with episodes.jsonl', 'none');
  const policy = makeScriptedPolicy(`replay:${folder}`, () => []);
  return { ...policy, open: async ({ assignments }) => await openReplay(folder, episodes, assignments) };
}

async function openReplay(folder: string, episodes: string, assignments: readonly Assignment[]): Promise<Player> {
  const records = await readRecords(episodes);
  const byKey = new Map(records.map((record) => [keyOf(record.task_hash, record.sample), record]));
  const played = new Map<string, readonly Action[]>();
  for (const assignment of assignments) {
    const key = keyOf(hashTask(assignment.task), assignment.sample);
    played.set(key, await readActions(episodes, byKey.get(key), assignment));
  }
  const runKey = parseRunKey(readFileSync(join(folder, 'run.key'), 'utf8').trim());
  return makeScriptedPlayer(({ task, sample }) => played.get(keyOf(hashTask(task), sample)) ?? [], runKey);
}

async function readActions(
  episodes: string,
  record: RolloutRecord | undefined,
  { task, sample }: Assignment,
): Promise<readonly Action[]> {
  if (record === undefined) throw replayError(episodes, `an episode of ${task.id}, sample ${sample}`, 'none');
  if (record.outcome === 'masked') throw replayError(episodes, `a finished ${record.episode}`, 'a masked one');
  const { lines } = await readTrace(episodes, record);
  return lines.flatMap((line) => (line.type === 'action' && line.action.type !== 'done' ? [line.action] : []));
}

function keyOf(hash: string, sample: number): string {
  return `${hash}/${sample}`;
}

function replayError(where: string, expected: string, found: string): InputError {
  return new InputError({ code: 'E_REPLAY', what: 'Cannot replay a run', where, expected, found });
}
