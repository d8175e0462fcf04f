import type { Command, Option } from 'commander';
import type { ConfiguredLine } from './config-file.ts';
import { printJson, printTable } from './output.ts';

interface Setting {
  readonly flag: string;
  readonly value: unknown;
  /** `default`, `flag`, or the path of the file. */
  readonly from: string;
}

/** Values that are shown to nobody. */
const secrets: ReadonlySet<string> = new Set(['key']);

/** Shows what a command would run with: every flag that has a value, and where that came from. */
export function printConfig(command: Command, line: ConfiguredLine): void {
  const settings = command.options.flatMap((option) => readSetting(command, option, line));
  if (command.getOptionValue('json') === true) {
    printJson({ config: Object.fromEntries(settings.map(({ flag, value, from }) => [flag, { value, from }])) });
    return;
  }
  printTable(settings, [
    { title: 'flag', value: ({ flag }) => flag },
    { title: 'value', value: ({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)) },
    { title: 'from', value: ({ from }) => from },
  ]);
}

function readSetting(command: Command, option: Option, { file, fromFile }: ConfiguredLine): readonly Setting[] {
  const name = option.attributeName();
  const value: unknown = command.getOptionValue(name);
  if (value === undefined || name === 'config' || name === 'printConfig') return [];
  const flag = (option.long ?? name).replace(/^--(no-)?/, '');
  const isDefault = command.getOptionValueSource(name) === 'default';
  const from = isDefault ? 'default' : fromFile.has(name) && file !== null ? file : 'flag';
  return [{ flag, value: secrets.has(name) ? '(hidden)' : value, from }];
}
