#!/usr/bin/env node
import { Command } from 'commander';
import { packageVersion } from './checkout.ts';
import { runProgram } from './program.ts';

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
  gallery: {
    summary: 'show one sample for each kind of task, as a page',
    load: async () => (await import('./gallery.ts')).galleryCommand(),
  },
  golden: {
    summary: 'prove that the generator still makes the frozen tasks',
    load: async () => (await import('./golden.ts')).goldenCommand(),
  },
  'new-task': {
    summary: 'write a task file to start from',
    load: async () => (await import('./new-task.ts')).newTaskCommand(),
  },
  split: {
    summary: 'frozen sets of tasks: check for leaks, hash',
    load: async () => (await import('./split.ts')).splitCommand(),
  },
  play: {
    summary: 'one episode by hand, or by JSON lines',
    load: async () => (await import('./play.ts')).playCommand(),
  },
  eval: {
    summary: 'play a policy through tasks and report how it went',
    load: async () => (await import('./eval.ts')).evalCommand(),
  },
  serve: {
    summary: 'serve episodes to trainers',
    load: async () => (await import('./serve.ts')).serveCommand(),
  },
  merge: {
    summary: 'make one run of several, such as the shards of one',
    load: async () => (await import('./merge.ts')).mergeCommand(),
  },
  ladder: {
    summary: 'serve the models of a list in turn and make one table',
    load: async () => (await import('./ladder.ts')).ladderCommand(),
  },
  export: {
    summary: 'write a run or tasks as Arrow, Parquet, SFT rows, ATIF, Harbor tasks or a Hub folder',
    load: async () => (await import('./export.ts')).exportCommand(),
  },
  report: {
    summary: 'remake tables from raw records',
    load: async () => (await import('./report.ts')).reportCommand(),
  },
  compare: {
    summary: 'paired tests of two runs on the same tasks',
    load: async () => (await import('./compare.ts')).compareCommand(),
  },
  replay: {
    summary: 're-execute an episode and compare what it saw',
    load: async () => (await import('./replay.ts')).replayCommand(),
  },
  supervise: {
    summary: 'hold one episode for mux, in the container of a Harbor task',
    load: async () => (await import('./supervise.ts')).superviseCommand(),
  },
  bench: {
    summary: 'measure this machine beside its own floor',
    load: async () => (await import('./bench.ts')).benchCommand(),
  },
  redteam: {
    summary: 'play exploits against this gym, armed and disarmed',
    load: async () => (await import('./redteam.ts')).redteamCommand(),
  },
  keys: {
    summary: 'make a run key',
    load: async () => (await import('./keys.ts')).keysCommand(),
  },
};

async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('muxgym')
    .description('A gym on real tmux servers: generate tasks, serve episodes to a trainer, evaluate models')
    .version(packageVersion())
    .helpCommand(false)
    .showSuggestionAfterError();
  const name = argv.find((word) => !word.startsWith('-'));
  for (const [key, entry] of Object.entries(entries)) {
    program.addCommand(key === name ? await entry.load() : new Command(key).description(entry.summary));
  }
  await runProgram(program, argv);
}

await main(process.argv.slice(2));
