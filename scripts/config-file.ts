import { readFileSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { parse, TomlError } from 'smol-toml';
import { InputError } from '../env/index.ts';

/** Flags of a command line, and which of them came from a file. */
export interface ConfiguredLine {
  readonly argv: readonly string[];
  /** The file, null where none is named. */
  readonly file: string | null;
  /** Names of the options that have their value from it. */
  readonly fromFile: ReadonlySet<string>;
}

const configFlag = '--config';

/** Gives the command that is called, if it does something by itself, `--config` and `--print-config`. */
export function addConfigOptions(program: Command, argv: readonly string[]): void {
  const { command } = findCommand(program, argv);
  if (command.commands.length > 0) return;
  command
    .option('--config <file>', 'flags from a TOML file, each by its name; those on the command line win')
    .option('--print-config', 'print each flag with its value and where that came from, and do nothing');
}

/**
 * Puts the flags of a `--config` file before those of the command line. A key is a flag without its dashes, `true` gives
 * a flag without a value, `false` none (or `--no-…` where there is one), a list is joined by commas. A table named like
 * the command (`[eval]`) wins over keys at the top, and tables of other commands are left alone. Throws an InputError
 * (`E_CONFIG`).
 */
export function applyConfigFile(program: Command, argv: readonly string[]): ConfiguredLine {
  const { command, words } = findCommand(program, argv);
  const flags = argv.slice(words);
  const file = readFlag(flags, configFlag);
  if (file === null) return { argv, file, fromFile: new Set() };
  const values = readValues(program, command, file);
  const chosen = [...values].flatMap(([key, value]) => {
    const option = findOption(command, key, file);
    const made = toFlags(option, value, { key, file });
    return isGiven(option, flags) ? [] : [{ key: option.attributeName(), flags: made }];
  });
  return {
    argv: [...argv.slice(0, words), ...chosen.flatMap((each) => each.flags), ...flags],
    file,
    fromFile: new Set(chosen.filter((each) => each.flags.length > 0).map(({ key }) => key)),
  };
}

function findCommand(program: Command, argv: readonly string[]): { readonly command: Command; readonly words: number } {
  let command = program;
  let words = 0;
  for (const word of argv) {
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) break;
    command = child;
    words += 1;
  }
  return { command, words };
}

function readFlag(flags: readonly string[], name: string): string | null {
  const at = flags.findLastIndex((flag) => flag === name || flag.startsWith(`${name}=`));
  const flag = flags[at];
  if (flag === undefined) return null;
  return flag === name ? (flags[at + 1] ?? null) : flag.slice(name.length + 1);
}

function readValues(program: Command, command: Command, file: string): ReadonlyMap<string, unknown> {
  const names = new Set(program.commands.map((each) => each.name()));
  const all = Object.entries(readToml(file));
  const own = all.find(([key, value]) => key === command.name() && isTable(value))?.[1];
  const top = all.filter(([key, value]) => !(isTable(value) && names.has(key)));
  return new Map([...top, ...(isTable(own) ? Object.entries(own) : [])]);
}

function readToml(file: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw configError({ where: file, expected: 'a readable file', found: String(cause), cause });
  }
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const found = cause.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? '';
    throw configError({ where: `${file}:${cause.line}:${cause.column}`, expected: 'TOML', found, cause });
  }
}

function findOption(command: Command, key: string, file: string): Option {
  const options = command.options.filter(({ long }) => long !== configFlag && long !== '--print-config');
  const option = options.find(({ long }) => long === `--${key}` || long === `--no-${key}`);
  if (option !== undefined) return option;
  const known = options.flatMap(({ long }) => long?.replace(/^--(no-)?/, '') ?? []).join(', ');
  throw configError({ where: `${file}: ${key}`, expected: `a flag of ${command.name()}: ${known}`, found: key });
}

function isGiven({ long, short, negate }: Option, flags: readonly string[]): boolean {
  const names = [long, short, ...(negate ? [long?.replace('--no-', '--')] : [])].filter((each) => each != null);
  return flags.some((flag) => names.some((name) => flag === name || flag.startsWith(`${name}=`)));
}

function toFlags(
  option: Option,
  value: unknown,
  place: { readonly key: string; readonly file: string },
): readonly string[] {
  const long = option.long ?? '';
  if (option.isBoolean() || option.negate) {
    if (typeof value === 'boolean') return value === !option.negate ? [long] : [];
    throw wrongValue(place, 'true or false', value);
  }
  const parts = Array.isArray(value) ? value : [value];
  const plain = parts.every((part) => typeof part === 'string' || typeof part === 'number' || typeof part === 'bigint');
  if (plain && parts.length > 0) return [`${long}=${parts.join(',')}`];
  throw wrongValue(place, 'a text, a number or a list of them', value);
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function wrongValue({ key, file }: { readonly key: string; readonly file: string }, expected: string, value: unknown) {
  return configError({ where: `${file}: ${key}`, expected, found: JSON.stringify(value) });
}

function configError(facts: { where: string; expected: string; found: string; cause?: unknown }): InputError {
  return new InputError({ code: 'E_CONFIG', what: 'Cannot use a configuration file', ...facts });
}
