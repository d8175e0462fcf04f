import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InputError } from '../../env/index.ts';
import { makeSplit, type Split } from './split.ts';
import { readSplitFile, type SplitFile, type SplitRules } from './split-file.ts';

/** The files in `data/splits`, by name, in the order in which a split without a file is looked for. */
export const bundledSplitFiles = ['cliff', 'events'] as const;

/**
 * Loads a split by `FILE:NAME`. FILE is a path, or the name of a bundled file (`cliff` is `data/splits/cliff.toml`);
 * `NAME` alone is looked for in the bundled ones. Throws an InputError as `readSplitFile` does, and `E_SPLIT_NAME` for
 * an unknown name.
 */
export function loadSplit(reference: string): Split {
  const colon = reference.lastIndexOf(':');
  const name = reference.slice(colon + 1);
  const file = findSplitFile(colon < 0 ? findBundled(name) : reference.slice(0, colon));
  return pickSplit(readSplitFile(file), name, file);
}

/** The first bundled file that has the split, or the first of all, whose error then says what there is. */
function findBundled(name: string): string {
  const has = (file: string) => Object.hasOwn(readSplitFile(findSplitFile(file)).splits, name);
  return bundledSplitFiles.find(has) ?? bundledSplitFiles[0];
}

/** Every split of a file, aliases included. Throws as `loadSplit` does. */
export function loadSplits(file: string): readonly Split[] {
  const path = findSplitFile(file);
  const content = readSplitFile(path);
  return Object.keys(content.splits).map((name) => pickSplit(content, name, path));
}

/** The path of a split file given as a path or as the name of a bundled one. Throws an InputError (`E_SPLIT_FILE`). */
export function findSplitFile(file: string): string {
  const roots = ['../../', '../../../'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const bundled = roots.flatMap((root) => [`${root}${file}`, `${root}data/splits/${file}.toml`]);
  const path = [file, ...bundled].find((candidate) => candidate !== '' && existsSync(candidate));
  if (path !== undefined) return path;
  throw new InputError({
    code: 'E_SPLIT_FILE',
    what: 'Cannot find a split file',
    where: JSON.stringify(file),
    expected: 'FILE:NAME with the path of a TOML file or the name of a bundled one',
    found: 'neither',
    hint: 'the bundled splits are in data/splits/, such as cliff:train',
  });
}

function pickSplit(content: SplitFile, name: string, file: string): Split {
  return makeSplit(findRules(content, name, file), name, file);
}

function findRules(content: SplitFile, name: string, file: string): SplitRules {
  const entry = Object.hasOwn(content.splits, name) ? content.splits[name] : undefined;
  if (entry === undefined) throw nameError(content, name, file);
  if (!('alias' in entry)) return entry;
  const target = content.splits[entry.alias];
  if (target === undefined || 'alias' in target) throw nameError(content, entry.alias, file);
  return target;
}

function nameError(content: SplitFile, name: string, file: string): InputError {
  return new InputError({
    code: 'E_SPLIT_NAME',
    what: 'Cannot find a split',
    where: file,
    expected: `one of ${Object.keys(content.splits).join(', ')}`,
    found: JSON.stringify(name),
  });
}
