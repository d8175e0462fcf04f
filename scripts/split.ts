import { Command } from 'commander';
import type { Task } from '../env/index.ts';
import {
  checkLeaks,
  findSplitFile,
  freezeSplitFile,
  type GridFlags,
  type Leak,
  type LeakReport,
  type LeakRow,
  loadSplit,
  readRows,
  type Split,
} from '../generator/index.ts';
import { printJson, printLine, printTable, runCommand, setExitCode } from './output.ts';
import { writeOutputFile } from './output-file.ts';
import { addTaskOptions, resolveTasks, type TaskOptions } from './task-options.ts';

interface CheckOptions extends Omit<TaskOptions, 'split'> {
  readonly json?: true;
}

/** What prompts and hashes of rows are compared with, by suite, where no flag says otherwise. */
const references: Readonly<Record<string, GridFlags>> = {
  cliff: { depths: 'D0-D4', ops: '1,2,4,8,16', seeds: '0-9' },
  events: { arms: 'event,none,told', seeds: '0-4' },
};

export function splitCommand(): Command {
  return new Command('split')
    .description('Frozen sets of tasks: leak check and hash')
    .addCommand(checkCommand())
    .addCommand(hashCommand());
}

function checkCommand(): Command {
  const command = new Command('check')
    .description(
      'Proves that tasks or training rows do not touch what a split holds out; the task flags choose the held-out tasks that prompts and hashes are compared with',
    )
    .argument('<split>', 'FILE:NAME, such as cliff:train or data/splits/cliff.toml:holdout-d3d4')
    .argument(
      '[rows...]',
      'JSONL files or run folders: tasks, or rows with task, task_id, task_hash, prompt, messages, or axes such as seed',
    );
  return addTaskOptions(command)
    .option('--json', 'one JSON object on stdout at the end')
    .action(
      runCommand((reference: string, files: readonly string[], options: CheckOptions) => {
        const split = loadSplit(reference);
        const report = checkLeaks(rowsOf(files), split, referenceOf(split, options));
        const ok = report.findings.length === 0;
        if (options.json === true) printJson({ split: split.label, hash: split.hash, ok, ...report });
        else printReport(split, report);
        if (!ok) setExitCode(1);
      }),
    );
}

/** The tasks that the flags choose; where they leave the suite open, those of every suite that the split may hold. */
function* referenceOf(split: Split, options: CheckOptions): Generator<Task, void, undefined> {
  if (options.tasks !== undefined) return yield* resolveTasks(options);
  for (const suite of suitesOf(split, options)) yield* resolveTasks({ ...options, suite }, references[suite]);
}

function suitesOf({ axes }: Split, options: CheckOptions): readonly string[] {
  const { suite, depths, ops, profile, kinds, levels, counts, arms, delegations } = options;
  if (suite !== undefined) return [suite];
  if ([depths, ops, profile].some((flag) => flag !== undefined)) return ['cliff'];
  if ([kinds, levels, counts, arms, delegations].some((flag) => flag !== undefined)) return ['events'];
  return Object.keys(references).filter((name) => axes.suites?.has(name) !== false);
}

function* rowsOf(files: readonly string[]): Generator<LeakRow, void, undefined> {
  for (const file of files) yield* readRows(file);
}

function printReport(split: Split, { rows, proven, findings, near }: LeakReport): void {
  printLeaks('touches the held-out part', findings);
  printLeaks('proven inside, with wording close to a held-out prompt', near);
  printLine(`split ${split.label} (${split.role}), hash ${split.hash}`);
  printLine(`${rows} rows: ${proven} proven by their task, ${rows - proven} by hash and wording only`);
  printLine(findings.length === 0 ? 'no leak' : `${findings.length} findings`);
}

function printLeaks(title: string, leaks: readonly Leak[]): void {
  if (leaks.length === 0) return;
  printLine(title);
  printTable(leaks, [
    { title: 'row', value: ({ where }) => where },
    { title: 'kind', value: ({ kind }) => kind },
    { title: 'task', value: ({ task }) => task },
    { title: 'expected', value: ({ expected }) => expected },
    { title: 'found', value: ({ found }) => found },
  ]);
  printLine('');
}

function hashCommand(): Command {
  return new Command('hash')
    .description('Prints the hash that a split file should carry')
    .argument('<file>', 'a TOML file of splits')
    .option('--write', 'write the hash into the file')
    .option('--json', 'one JSON object on stdout at the end')
    .action(
      runCommand((file: string, options: { readonly write?: true; readonly json?: true }) => {
        const path = findSplitFile(file);
        const { hash, text } = freezeSplitFile(path);
        if (options.write === true) writeOutputFile(path, text);
        if (options.json === true) printJson({ file: path, hash, written: options.write === true });
        else printLine(hash);
      }),
    );
}
