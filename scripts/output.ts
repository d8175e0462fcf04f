import { BoundaryError, formatFacts, InputError } from '../env/index.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null;
}

/** Prints the one JSON object of a `--json` run on stdout. A second call in a process is a bug and throws. */
export function printJson(value: unknown): void {
  if (jsonPrinted) throw new Error('Cannot print a second JSON object: stdout carries exactly one');
  jsonPrinted = true;
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
let jsonPrinted = false;

/** One line for people on stdout. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One line of progress or log on stderr. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A plain table on stdout: numbers to the right, null as `-`, no colour. */
export function printTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
  for (const line of formatTable(rows, columns)) printLine(line);
}

/** The lines of `printTable`. */
export function formatTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): readonly string[] {
  const cells = rows.map((row) => columns.map((column) => column.value(row)));
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((line) => cellText(line[index]).length)),
  );
  const numeric = columns.map((_, index) => cells.some((line) => typeof line[index] === 'number'));
  const format = (line: readonly (string | number | null)[]) =>
    line.map((cell, index) => padCell(cellText(cell), widths[index] ?? 0, numeric[index] === true)).join('  ');
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [format(columns.map(({ title }) => title)), rule, ...cells.map(format)].map((line) => line.trimEnd());
}

function cellText(cell: string | number | null | undefined): string {
  return cell === null || cell === undefined ? '-' : String(cell);
}

function padCell(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width);
}

/** The exit code that the process ends with: 1 with findings, and so on; a higher code is never lowered. */
export function setExitCode(code: number): void {
  process.exitCode = Math.max(code, Number(process.exitCode ?? 0));
}

/**
 * Aborts at the first SIGINT; a second one ends the process at once. A command that never asks for the signal is ended
 * by SIGINT as any program is. The exit code of an interrupted command is 130.
 */
export function interruptSignal(): AbortSignal {
  if (interrupt === null) {
    const controller = new AbortController();
    process.once('SIGINT', () => {
      progress('interrupted: finishing what is under way; once more to end at once');
      setExitCode(130);
      process.once('SIGINT', () => process.exit(130));
      controller.abort(new Interrupted('interrupted'));
    });
    interrupt = controller.signal;
  }
  return interrupt;
}
let interrupt: AbortSignal | null = null;

/** The reason of `interruptSignal()`; what finished is kept. */
class Interrupted extends Error {
  override readonly name = 'AbortError';
}

/**
 * Wraps a commander action. An InputError prints `error[CODE]: what, where, expected, found` and a hint on stderr and
 * exits with 2, a BoundaryError with 3; under `--json` the same stands on stdout as `{"error": {…}}`. Anything else is
 * a bug: it is shown with its stack and exits with 3.
 */
export function runCommand<Args extends readonly unknown[]>(
  action: (...args: Args) => void | Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await action(...args);
    } catch (error) {
      reportError(error);
    }
  };
}

/** What `runCommand` does with an error. */
export function reportError(error: unknown): void {
  if (interrupt?.aborted === true && error instanceof Error && error.name === 'AbortError') return;
  if (error instanceof InputError || error instanceof BoundaryError) reportFacts(error);
  else reportBug(error);
}

function reportFacts(error: InputError | BoundaryError): void {
  const { code, what, where, expected, found, hint } = error.facts;
  progress(`error[${code}]: ${formatFacts(error.facts)}`);
  if (hint !== undefined) progress(`hint: ${hint}`);
  const boundary = error instanceof BoundaryError ? error.boundary : undefined;
  if (wantsJson()) printJson({ error: { code, message: error.message, boundary, what, where, expected, found, hint } });
  setExitCode(error instanceof InputError ? 2 : 3);
}

function reportBug(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  progress(`error[E_INTERNAL]: ${message}`);
  if (error instanceof Error && error.stack !== undefined) progress(error.stack);
  if (wantsJson()) printJson({ error: { code: 'E_INTERNAL', message } });
  setExitCode(3);
}

function wantsJson(): boolean {
  return !jsonPrinted && process.argv.includes('--json');
}

/** A reader that went away (`| head`) ends the program without a word. */
export function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
