import { type Command, CommanderError } from 'commander';
import { InputError } from '../env/index.ts';
import { endQuietlyOnClosedPipe, reportError } from './output.ts';

/** Parses the command line and runs what it names. Mistakes get our form of an error (`E_USAGE`) and exit code 2. */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  endQuietlyOnClosedPipe();
  tame(program);
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) reportError(error);
    else if (error.exitCode !== 0) reportError(usageError(error, nameOf(program, argv)));
  }
}

/** Errors are thrown, not printed. Applies to subcommands of any depth. */
function tame(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => undefined });
  for (const child of command.commands) tame(child);
}

/** The command that was meant, as far as it is known. */
function nameOf(program: Command, argv: readonly string[]): string {
  const word = argv.find((one) => !one.startsWith('-'));
  const known = program.commands.some((command) => command.name() === word);
  return known ? `${program.name()} ${word}` : program.name();
}

function usageError(error: CommanderError, where: string): InputError {
  const help = `run ${where} --help`;
  if (error.code === 'commander.help') {
    return new InputError({ code: 'E_USAGE', what: 'A command is missing', where, hint: help });
  }
  const [what = '', ...suggestion] = error.message.replace(/^error: /, '').split('\n');
  const hint = [...suggestion, help].join('; ');
  return new InputError({ code: 'E_USAGE', what: `Cannot read the command line: ${what}`, where, hint });
}
