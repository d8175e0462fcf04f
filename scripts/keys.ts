import { Command } from 'commander';
import { makeRunKey } from '../env/index.ts';
import { printJson, printLine, runCommand } from './output.ts';

export function keysCommand(): Command {
  const keys = new Command('keys').description('Makes keys');
  keys
    .command('new')
    .description('Makes a run key, from which the secrets of all episodes of a run are derived')
    .option('--json', 'one JSON object')
    .action(
      runCommand((options: { readonly json?: true }) => {
        const key = makeRunKey();
        if (options.json === true) printJson({ run_key: key });
        else printLine(key);
      }),
    );
  return keys;
}
