import { Command, Option } from 'commander';
import {
  formatHeading,
  formatMarkdown,
  formatText,
  gridLegend,
  makeGrid,
  type RecordSource,
  readRecordSource,
  type Summary,
  summarize,
} from '../rollout/index.ts';
import { printJson, printLine, progress, runCommand, setExitCode } from './output.ts';

interface ReportOptions {
  readonly format: 'table' | 'markdown' | 'json';
  readonly json?: true;
}

export function reportCommand(): Command {
  return new Command('report')
    .description('Makes the tables again from the records of runs')
    .argument('<runs...>', 'run folders, files of records (episodes.jsonl) or episode tables (rollouts.arrow)')
    .addOption(new Option('--format <name>', 'how').choices(['table', 'markdown', 'json']).default('table'))
    .option('--json', 'as --format json')
    .action(
      runCommand(async (paths: readonly string[], { format, json }: ReportOptions) => {
        const sources: RecordSource[] = [];
        for (const path of paths) sources.push(await readRecordSource(path));
        if (json === true || format === 'json') printJson({ reports: sources.map(makeReport) });
        else printReports(sources, format);
        for (const { cut } of sources) {
          if (cut === null) continue;
          progress(`error[${cut.code}]: ${cut.message}`);
          if (cut.facts.hint !== undefined) progress(`hint: ${cut.facts.hint}`);
          setExitCode(1);
        }
      }),
    );
}

function makeReport({ file, records, cut }: RecordSource) {
  return { file, cut: cut?.code ?? null, results: summarize(records) };
}

function printReports(sources: readonly RecordSource[], format: 'table' | 'markdown'): void {
  for (const { file, results } of sources.map(makeReport)) {
    printLine(format === 'markdown' ? `## ${file}` : file);
    printLine('');
    if (results.length === 0) printLine('no episodes');
    for (const summary of results) printTables(summary, format);
  }
  printLine(gridLegend);
}

function printTables(summary: Summary, format: 'table' | 'markdown'): void {
  const grid = makeGrid(summary);
  printLine(formatHeading(summary));
  printLine('');
  printLine(format === 'markdown' ? formatMarkdown(grid) : formatText(grid));
  printLine('');
}
