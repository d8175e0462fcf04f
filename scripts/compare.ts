import { Command } from 'commander';
import { compareRuns, countIncomparable, makeComparisonSections, readRecordSource } from '../rollout/index.ts';
import { progress, runCommand, setExitCode } from './output.ts';
import { addFormatOptions, printReport, type ReportFormat } from './report.ts';

interface CompareOptions {
  readonly format: ReportFormat;
  readonly out?: string;
  readonly json?: true;
}

export function compareCommand(): Command {
  return addFormatOptions(
    new Command('compare')
      .description('Compares two runs on the tasks that both played: paired tests, by depth with Holm')
      .argument('<a>', 'a run folder or its file of records: the first policy, or the base')
      .argument('<b>', 'the second policy, or the trained one'),
  ).action(
    runCommand(async (pathA: string, pathB: string, options: CompareOptions) => {
      const [a, b] = [await readRecordSource(pathA), await readRecordSource(pathB)];
      const comparison = compareRuns(a, b);
      const names = { title: 'muxgym compare', subtitle: `${a.file} and ${b.file}` };
      const part = { heading: 'B against A', sections: makeComparisonSections(comparison) };
      printReport(names, { parts: [part], data: comparison }, options);
      const incomparable = countIncomparable(comparison);
      if (incomparable === 0) return;
      progress(`${incomparable} episodes are missing on one side or masked`);
      setExitCode(1);
    }),
  );
}
