import { Command, Option } from 'commander';
import { InputError } from '../env/index.ts';
import {
  formatHtml,
  formatSections,
  listReferenceFiles,
  makeReport,
  publishedTables,
  type RecordSource,
  type Report,
  type ReportTable,
  readRecordSource,
  reportTables,
} from '../rollout/index.ts';
import { printJson, printLine, progress, runCommand, setExitCode } from './output.ts';
import { writeOutputFile } from './output-file.ts';

const formats = ['table', 'markdown', 'html', 'json'] as const;
export type ReportFormat = (typeof formats)[number];

interface ReportOptions {
  readonly format: ReportFormat;
  readonly table?: ReportTable;
  readonly out?: string;
  readonly json?: true;
}

export function reportCommand(): Command {
  return addFormatOptions(
    new Command('report')
      .description('Makes every table again from raw records: of runs, or of the published study')
      .argument('[runs...]', 'run folders, files of records (JSON lines) or episode tables (rollouts.arrow)')
      .addOption(new Option('--table <name>', 'only this table').choices(reportTables)),
  ).action(
    runCommand(async (paths: readonly string[], options: ReportOptions) => {
      const sources: RecordSource[] = [];
      for (const path of choosePaths(paths, options.table)) sources.push(await readRecordSource(path));
      const report = makeReport(sources, options.table ?? null);
      printReport({ title: 'muxgym report', subtitle: sources.map(({ file }) => file).join(', ') }, report, options);
      if (report.differences > 0) {
        progress(`${report.differences} cells differ from the published figures`);
        setExitCode(1);
      }
      reportCuts(sources);
    }),
  );
}

/** How a report is printed; shared by the commands that make one. */
export function addFormatOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <name>', 'how').choices(formats).default('table'))
    .option('--out <file>', 'write it to a file and print its path')
    .option('--json', 'as --format json');
}

/** Without paths, the raw records of the published table. */
function choosePaths(paths: readonly string[], table: ReportTable | undefined): readonly string[] {
  if (paths.length > 0) return paths;
  const published = publishedTables.find((name) => name === table);
  if (published !== undefined) return listReferenceFiles(published);
  throw new InputError({
    code: 'E_RUN',
    what: 'Cannot report on nothing',
    where: 'muxgym report',
    expected: `a run, a file of records, or --table ${publishedTables.join('|')} for the study's own`,
    found: 'no path',
  });
}

/** Prints a report, or writes it where `--out` says. */
export function printReport(
  names: { readonly title: string; readonly subtitle: string },
  { parts, data }: Pick<Report, 'parts' | 'data'>,
  options: Pick<ReportOptions, 'format' | 'out' | 'json'>,
): void {
  const format = options.json === true ? 'json' : options.format;
  const { out } = options;
  if (format === 'json' && out === undefined) {
    printJson(data);
    return;
  }
  const text = formatReport(names, { parts, data }, format);
  if (out === undefined) {
    printLine(text.trimEnd());
    return;
  }
  writeOutputFile(out, text);
  printLine(out);
}

function formatReport(
  names: { readonly title: string; readonly subtitle: string },
  { parts, data }: Pick<Report, 'parts' | 'data'>,
  format: ReportFormat,
): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(data, null, 2)}\n`;
    case 'html':
      return formatHtml({ ...names, parts });
    case 'table':
    case 'markdown': {
      const blocks = parts.map(({ heading, sections }) => {
        return `${format === 'markdown' ? `## ${heading}` : heading}\n\n${formatSections(sections, format)}`;
      });
      return `${blocks.join('\n\n')}\n`;
    }
  }
}

function reportCuts(sources: readonly RecordSource[]): void {
  for (const { cut } of sources) {
    if (cut === null) continue;
    progress(`error[${cut.code}]: ${cut.message}`);
    if (cut.facts.hint !== undefined) progress(`hint: ${cut.facts.hint}`);
    setExitCode(1);
  }
}
