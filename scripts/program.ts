import { type Command, CommanderError } from 'commander';
import { InputError } from '../env/index.ts';
import { addConfigOptions, applyConfigFile, type ConfiguredLine } from './config-file.ts';
import { endQuietlyOnClosedPipe, reportError } from './output.ts';
import { printConfig } from './print-config.ts';

/**
 * Parses the command line, with a `--config` file before it, and runs what it names, or shows its flags for
 * `--print-config`. Mistakes get our form of an error (`E_USAGE`, `E_CONFIG`) and exit code 2.
 */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  endQuietlyOnClosedPipe();
  addConfigOptions(program, argv);
  tame(program);
  try {
    const line = applyConfigFile(program, argv);
    program.hook('preAction', (_, command) => showInstead(command, line));
    await program.parseAsync(line.argv, { from: 'user' });
  } catch (error) {
    if (error instanceof Shown) return;
    if (!(error instanceof CommanderError)) reportError(error);
    else if (error.exitCode !== 0) reportError(usageError(error, nameOf(program, argv)));
  }
}

/** Ends the program before the action of its command. */
class Shown extends Error {}

function showInstead(command: Command, line: ConfiguredLine): void {
  if (command.getOptionValue('printConfig') !== true) return;
  printConfig(command, line);
  throw new Shown();
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
