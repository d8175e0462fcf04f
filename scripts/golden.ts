import { Command } from 'commander';
import {
  explainGolden,
  findGoldenChanges,
  type GoldenChange,
  generatorVersion,
  readGolden,
  writeGolden,
} from '../generator/index.ts';
import { printJson, printLine, printTable, progress, runCommand, setExitCode } from './output.ts';

interface GoldenOptions {
  readonly write?: true;
  readonly json?: true;
}

export function goldenCommand(): Command {
  return new Command('golden')
    .description('Proves that the generator still makes the frozen tasks; where it does not, results move')
    .option('--write', 'freeze anew; refused while the version of the generator is the frozen one')
    .option('--json', 'one JSON object on stdout at the end')
    .action(runCommand(check));
}

function check({ write, json }: GoldenOptions): void {
  const golden = write === true ? writeGolden() : readGolden();
  const changed = findGoldenChanges(golden);
  const refusal = explainGolden(golden, changed);
  if (refusal !== null) setExitCode(1);
  const tasks = Object.keys(golden.hashes).length;
  const ok = refusal === null;
  if (json === true) {
    printJson({ tasks, ok, generator: generatorVersion, frozen_by: golden.generator, changed });
    return;
  }
  if (changed.length > 0) printChanges(changed);
  printLine(`${tasks} golden tasks of generator ${golden.generator}: ${changed.length} changed`);
  if (refusal !== null) progress(`error[${refusal.code}]: ${refusal.message}\nhint: ${refusal.facts.hint ?? ''}`);
}

/** The first twenty: a change of a wording moves very many. */
function printChanges(changed: readonly GoldenChange[]): void {
  printTable(changed.slice(0, 20), [
    { title: 'task', value: ({ task }) => task },
    { title: 'expected', value: ({ expected }) => expected },
    { title: 'found', value: ({ found }) => found },
  ]);
}
