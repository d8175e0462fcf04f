import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { type ReplayResult, type ReplaySummary, replayEpisode, replayRun } from '../rollout/index.ts';
import { printJson, printLine, progress, runCommand, setExitCode } from './output.ts';

interface ReplayOptions {
  readonly episode?: string;
  readonly json?: true;
}

export function replayCommand(): Command {
  return new Command('replay')
    .description('Takes recorded actions again and compares what was seen: of one episode, or of a whole run')
    .argument('<run>', 'a run folder')
    .option('--episode <id>', 'the episode, as episodes.jsonl names it (default: every judged one)')
    .option('--json', 'one JSON object on stdout at the end')
    .action(
      runCommand(async (run: string, { episode, json }: ReplayOptions) => {
        if (episode === undefined) await replayAll(run, json === true);
        else await replayOne(run, episode, json === true);
      }),
    );
}

async function replayOne(run: string, episode: string, json: boolean): Promise<void> {
  const result = await replayEpisode(run, episode);
  if (json) printJson(result);
  else for (const line of formatResult(result)) printLine(line);
  if (!result.same) setExitCode(1);
}

async function replayAll(run: string, json: boolean): Promise<void> {
  const summary = await replayRun(run, { concurrency: availableParallelism(), onProgress: progress });
  if (json) printJson(summary);
  else for (const line of formatSummary(summary)) printLine(line);
  if (summary.different.length > 0) setExitCode(1);
}

function formatSummary({
  episodes,
  same,
  replaced_share,
  not_reproducible,
  different,
}: ReplaySummary): readonly string[] {
  const share = `${(100 * replaced_share).toFixed(2)} % of the bytes are placeholders`;
  return [
    ...different.flatMap(formatResult),
    `${same} of ${episodes - not_reproducible} episodes saw the same again; ${share}`,
    ...(not_reproducible === 0 ? [] : [`${not_reproducible} more cannot repeat, by their own record`]),
  ];
}

function formatResult(result: ReplayResult): readonly string[] {
  const { episode, task, same, recorded_hash, replayed_hash, first_difference } = result;
  if (same) return [`${episode} (${task}): same observations, hash ${recorded_hash}`];
  const head = `${episode} (${task}): other observations, hash ${recorded_hash} recorded, ${replayed_hash} now`;
  if (first_difference === null) return [head, 'no step differs by itself'];
  const { step, action, recorded, replayed } = first_difference;
  return [
    head,
    `first difference at step ${step}: ${JSON.stringify(action)}`,
    `  recorded: ${JSON.stringify(recorded)}`,
    `  now:      ${JSON.stringify(replayed)}`,
  ];
}
