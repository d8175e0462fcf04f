import { Command, Option } from 'commander';
import type { Rung } from '../env/index.ts';
import {
  type FuzzFinding,
  type FuzzReport,
  type RedTeamRow,
  runFuzz,
  runRedTeam,
  selectExploits,
} from '../rollout/index.ts';
import { interruptSignal, printJson, printLine, printTable, progress, runCommand, setExitCode } from './output.ts';
import { countParser } from './task-options.ts';

interface RedTeamCommandOptions {
  readonly only?: string;
  readonly rung: Exclude<Rung, 'bare'>;
  /** Undefined: both columns. */
  readonly disarm?: boolean;
  readonly fuzz?: number;
  readonly seed: number;
  readonly maxConcurrent: number;
  readonly dryRun?: true;
  readonly json?: true;
}

export function redteamCommand(): Command {
  return new Command('redteam')
    .description('Plays the catalogue of exploits against this gym, each with its honest twin and with its defence off')
    .option('--only <ids>', 'rows to play, such as 3,24,x-claim')
    .addOption(
      new Option('--rung <rung>', 'the rung of isolation').choices(['bubblewrap', 'uid']).default('bubblewrap'),
    )
    .option('--disarm', 'only with the defence switched off: each exploit must then succeed')
    .option('--no-disarm', 'only as the gym is')
    .option('--fuzz <episodes>', 'instead, so many hostile episodes grown from the catalogue', countParser('--fuzz'))
    .option('--seed <seed>', 'of the first hostile episode; the next ones follow', countParser('--seed', 0), 0)
    .option('--max-concurrent <count>', 'hostile episodes at once', countParser('--max-concurrent'), 2)
    .option('--dry-run', 'print what would be played')
    .option('--json', 'one JSON object on stdout at the end')
    .action(runCommand((options: RedTeamCommandOptions) => run(options)));
}

async function run(options: RedTeamCommandOptions): Promise<void> {
  if (options.dryRun === true) printPlan(options);
  else if (options.fuzz === undefined) await playCatalogue(options);
  else await fuzz(options, options.fuzz);
}

function printPlan({ only, json }: RedTeamCommandOptions): void {
  const rows = selectExploits(only?.split(','));
  if (json === true) printJson({ rows: rows.map(({ id, what, expected }) => ({ exploit: id, what, expected })) });
  else for (const { id, what } of rows) printLine(`${id}: an agent that ${what}`);
}

async function playCatalogue({ only, rung, disarm, json }: RedTeamCommandOptions): Promise<void> {
  const rows = await runRedTeam({
    rung,
    only: only?.split(','),
    part: disarm === undefined ? undefined : disarm ? 'disarmed' : 'armed',
    signal: interruptSignal(),
    onRow: ({ exploit, what, ok }) => progress(`${ok ? 'ok  ' : 'FAIL'} ${exploit}: ${what}`),
  });
  const failed = rows.filter(({ ok }) => !ok).map(({ exploit }) => exploit);
  if (json === true) printJson({ rung, ok: failed.length === 0, played: rows.length, failed, rows });
  else printRows(rows, rung, failed);
  if (failed.length > 0) setExitCode(1);
}

function printRows(rows: readonly RedTeamRow[], rung: Rung, failed: readonly string[]): void {
  printTable(rows, [
    { title: 'exploit', value: ({ exploit }) => exploit },
    { title: 'an agent that', value: ({ what }) => what },
    { title: 'expected', value: ({ expected }) => expected },
    { title: 'got', value: ({ got }) => got },
    { title: 'honest twin', value: ({ twin }) => (twin === null ? null : twin ? 'scores 1' : 'FAILS') },
    { title: 'without', value: ({ defence }) => defence },
    { title: 'it', value: ({ disarmed }) => disarmed },
  ]);
  const rest = failed.length === 0 ? 'all as expected' : `${failed.length} not as expected: ${failed.join(', ')}`;
  printLine(`${rows.length} exploits on the ${rung} rung, ${rest}`);
}

async function fuzz({ seed, maxConcurrent, rung, json }: RedTeamCommandOptions, episodes: number): Promise<void> {
  const report = await runFuzz({
    episodes,
    seed,
    rung,
    concurrency: maxConcurrent,
    signal: interruptSignal(),
    onEpisode: (done, findings) => {
      if (done % 100 === 0 || done === episodes) progress(`${done} of ${episodes}, ${findings.length} findings`);
    },
  });
  if (json === true) printJson({ rung, ok: report.findings.length === 0, fuzz: { seed, ...report } });
  else printFuzz(report);
  if (report.findings.length > 0) setExitCode(1);
}

function printFuzz({ episodes, scored, flagged, faults, faultsMasked, findings }: FuzzReport): void {
  for (const finding of findings) printFinding(finding);
  printLine(`${episodes} hostile episodes: ${scored} scored 0, ${flagged} flagged, ${findings.length} findings`);
  printLine(`${faults} sandboxes killed from outside, ${faultsMasked} of them masked`);
}

function printFinding({ seed, found, scripts }: FuzzFinding): void {
  printLine(`seed ${seed}: ${found}`);
  for (const script of scripts) printLine(script.replace(/^/gm, '    '));
}
