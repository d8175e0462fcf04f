import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BoundaryError, hashTask, InputError, type Task } from '../../env/index.ts';
import { generatorVersion } from '../cliff/index.ts';
import { makeTask } from '../select/index.ts';
import { goldenIds } from './golden-ids.ts';

/** The frozen content hashes of some tasks, and the generator that made them. */
export interface Golden {
  readonly generator: string;
  readonly hashes: Readonly<Record<string, string>>;
}

/** A golden task that this generator makes otherwise. */
export interface GoldenChange {
  readonly task: string;
  readonly expected: string;
  readonly found: string;
}

/** What the repository holds. */
export function readGolden(): Golden {
  return JSON.parse(readFileSync(findFile(), 'utf8')) as Golden;
}

/** The golden tasks that `make` makes otherwise than frozen, whatever the version says. */
export function findGoldenChanges(
  { hashes }: Golden,
  make: (id: string) => Task = makeTask,
): readonly GoldenChange[] {
  return Object.entries(hashes).flatMap(([task, expected]) => {
    const found = hashTask(make(task));
    return found === expected ? [] : [{ task, expected, found }];
  });
}

/**
 * What there is to say of the golden tasks (`E_GOLDEN`); null where they are as frozen. A change means that results
 * move: models are then measured on other tasks than before.
 */
export function explainGolden(golden: Golden, changes: readonly GoldenChange[]): InputError | null {
  const [first] = changes;
  if (first === undefined) return explainVersion(golden);
  return new InputError({
    code: 'E_GOLDEN',
    what: `Results move: ${changes.length} of ${Object.keys(golden.hashes).length} golden tasks have changed`,
    where: first.task,
    expected: `hash ${first.expected}, as frozen by generator ${golden.generator}`,
    found: `hash ${first.found}`,
    hint: 'undo the change; or, if it is meant, raise generatorVersion, run muxgym golden --write, and measure the pinned baseline again, with both numbers in the change log',
  });
}

/**
 * Writes the hashes that this generator makes; a task that was not golden before is added. Throws an InputError
 * (`E_GOLDEN`) where a hash would change under the same version.
 */
export function writeGolden(): Golden {
  const before = readGolden();
  const refusal = before.generator === generatorVersion ? explainGolden(before, findGoldenChanges(before)) : null;
  if (refusal !== null) throw refusal;
  const hashes = Object.fromEntries(goldenIds().map((id) => [id, hashTask(makeTask(id))]));
  const golden = { generator: generatorVersion, hashes };
  writeFileSync(findFile(), `${JSON.stringify(golden, null, 2)}\n`);
  return golden;
}

/** The file is not copied into the build. */
function findFile(): string {
  const places = ['./hashes.json', '../../../generator/golden/hashes.json'];
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = paths.find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new BoundaryError('task', {
    code: 'E_GOLDEN',
    what: 'Cannot find the frozen hashes',
    where: paths.join(' or '),
  });
}

function explainVersion({ generator }: Golden): InputError | null {
  if (generator === generatorVersion) return null;
  return new InputError({
    code: 'E_GOLDEN',
    what: 'Cannot compare with golden tasks: they were frozen by another generator',
    where: 'generator/golden/hashes.json',
    expected: `generator ${generatorVersion}`,
    found: `generator ${generator}`,
    hint: 'run muxgym golden --write',
  });
}
