import { Command } from 'commander';
import { type ReplayResult, replayEpisode } from '../rollout/index.ts';
import { printJson, printLine, runCommand, setExitCode } from './output.ts';

interface ReplayOptions {
  readonly episode: string;
  readonly json?: true;
}

export function replayCommand(): Command {
  return new Command('replay')
    .description('Takes the recorded actions of an episode again and compares what was seen')
    .argument('<run>', 'a run folder')
    .requiredOption('--episode <id>', 'the episode, as episodes.jsonl names it')
    .option('--json', 'one JSON object on stdout at the end')
    .action(
      runCommand(async (run: string, { episode, json }: ReplayOptions) => {
        const result = await replayEpisode(run, episode);
        if (json === true) printJson(result);
        else printResult(result);
        if (!result.same) setExitCode(1);
      }),
    );
}

function printResult(result: ReplayResult): void {
  for (const line of formatResult(result)) printLine(line);
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
