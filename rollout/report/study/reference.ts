import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InputError, packageRoot } from '../../../env/index.ts';
import { type PublishedName, readPublished } from './published.ts';

/** The folder with the study's raw records: `MUXGYM_REFERENCE_DATA`, or `../shared/reference-data` beside the checkout. */
export function referenceFolder(): string {
  const named = process.env['MUXGYM_REFERENCE_DATA'];
  if (named !== undefined && named !== '') return resolve(named);
  return join(packageRoot(), '..', 'shared', 'reference-data');
}

/** The raw records of a published table. Throws an InputError (`E_REFERENCE`) where they are not there. */
export function listReferenceFiles(table: PublishedName): readonly string[] {
  const paths = readPublished(table).files.map(({ name }) => join(referenceFolder(), name));
  const absent = paths.find((path) => !existsSync(path));
  if (absent === undefined) return paths;
  throw new InputError({
    code: 'E_REFERENCE',
    what: "Cannot find the study's raw records",
    where: absent,
    expected: 'the file',
    found: 'nothing there',
    hint: 'name their folder in MUXGYM_REFERENCE_DATA, or give the files',
  });
}
