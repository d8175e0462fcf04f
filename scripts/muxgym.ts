#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { InputError } from '../env/index.ts';
import { packageVersion } from './checkout.ts';
import { endQuietlyOnClosedPipe, reportError } from './output.ts';

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Each command is loaded only when it is called, so that help and version need no native module. */
const entries: Readonly<Record<string, Entry>> = {
  doctor: {
    summary: 'check this machine and say how to mend what is missing',
    load: async () => (await import('./doctor.ts')).doctorCommand(),
  },
  generate: {
    summary: 'write tasks, one per line, with a manifest of content hashes',
    load: async () => (await import('./generate.ts')).generateCommand(),
  },
  validate: {
    summary: 'prove tasks without a model',
    load: async () => (await import('./validate.ts')).validateCommand(),
  },
  split: {
    summary: 'frozen sets of tasks: check for leaks, hash',
    load: async () => (await import('./split.ts')).splitCommand(),
  },
  play: {
    summary: 'one episode by hand, or by JSON lines',
    load: async () => (await import('./play.ts')).playCommand(),
  },
  bench: {
    summary: 'measure this machine beside its own floor',
    load: async () => (await import('./bench.ts')).benchCommand(),
  },
  keys: {
    summary: 'make a run key',
    load: async () => (await import('./keys.ts')).keysCommand(),
  },
};

async function main(argv: readonly string[]): Promise<void> {
  endQuietlyOnClosedPipe();
  const program = makeProgram();
  const name = argv.find((word) => !word.startsWith('-'));
  for (const [key, entry] of Object.entries(entries)) {
    program.addCommand(key === name ? await entry.load() : new Command(key).description(entry.summary));
  }
  for (const command of [program, ...program.commands]) tame(command);
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) reportError(error);
    else if (error.exitCode !== 0) reportError(usageError(error, name));
  }
}

function makeProgram(): Command {
  return new Command('muxgym')
    .description('A gym on real tmux servers: generate tasks, serve episodes to a trainer, evaluate models')
    .version(packageVersion())
    .helpCommand(false)
    .showSuggestionAfterError();
}

/** Errors are thrown, not printed: `usageError` gives them our form. Applies to subcommands of any depth. */
function tame(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => undefined });
  for (const child of command.commands) tame(child);
}

function usageError(error: CommanderError, name: string | undefined): InputError {
  const known = name !== undefined && name in entries;
  const command = known ? `muxgym ${name}` : 'muxgym';
  if (error.code === 'commander.help') {
    return new InputError({
      code: 'E_USAGE',
      what: 'A command is missing',
      where: command,
      hint: `run ${command} --help`,
    });
  }
  const [what = '', ...suggestion] = error.message.replace(/^error: /, '').split('\n');
  const hint = [...suggestion, `run ${command} --help`].join('; ');
  return new InputError({ code: 'E_USAGE', what: `Cannot read the command line: ${what}`, where: command, hint });
}

await main(process.argv.slice(2));
