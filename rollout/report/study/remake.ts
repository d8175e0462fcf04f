import { basename } from 'node:path';
import { InputError } from '../../../env/index.ts';
import type { RecordSource } from '../read-source.ts';
import { makeCliffRows } from './cliff-table.ts';
import { type Published, type PublishedName, publishedTables, readPublished } from './published.ts';
import { listDifferences, type RemadeRow, type TableDifference } from './remade.ts';
import { type Experiment, makeRlRows, type RlRow } from './rl-table.ts';
import { makeSuiteRows } from './suite-table.ts';
import { type Trial, toStudyTrials, toTrials } from './trial.ts';

/** A table made again from records: the study's, compared cell by cell with the published one, or our own. */
export interface RemadeTable {
  readonly table: PublishedName;
  readonly title: string;
  /** Null for records of our own, which are never held against the study's figures. */
  readonly published: Published['provenance'] | null;
  readonly rows: readonly (RemadeRow | RlRow)[];
  /** Cells that are not as published. */
  readonly differences: readonly TableDifference[];
  /** Published rows for which no records were given. */
  readonly missing: readonly string[];
  /** Files of the study whose bytes are not the published ones. */
  readonly changed_files: readonly string[];
}

/**
 * Makes one of the study's tables from raw records. Throws an InputError (`E_TABLE`) where the study's records and our
 * own are mixed, where no record fits the table, or where before and after a training cannot be told apart.
 */
export function remakeTable(table: PublishedName, sources: readonly RecordSource[]): RemadeTable {
  const fromStudy = sources.some(({ study }) => study !== null);
  if (fromStudy && sources.some(({ study }) => study === null)) {
    throw tableError(table, "the study's records or your own", 'both');
  }
  const published = fromStudy ? readPublished(table) : null;
  const rows = makeRows(table, sources, published);
  if (rows.length === 0) throw tableError(table, 'records of that table', sources.map(({ file }) => file).join(', '));
  const present = new Set(rows.map(({ subject }) => subject));
  const missing = (published?.rows ?? []).filter(({ subject }) => !present.has(subject));
  return {
    table,
    title: published?.title ?? ownTitles[table],
    published: published?.provenance ?? null,
    rows,
    differences: published === null ? [] : listDifferences(rows, published),
    missing: [...new Set(missing.map((row) => (table === 'rl' ? row.subject : row.label)))],
    changed_files: published === null ? [] : listChanged(sources, published),
  };
}

/** The tables that the study's records among `sources` can make, in the order of the study. */
export function findTables(sources: readonly RecordSource[]): readonly PublishedName[] {
  return publishedTables.filter((table) => {
    const files = readPublished(table).files;
    return sources.some((source) => source.study !== null && findFile(source, files) !== null);
  });
}

const ownTitles: Readonly<Record<PublishedName, string>> = {
  cliff: 'Pass rate by indirection depth, op-counts alike',
  suite: 'Pass rate by pillar, and missed events',
  rl: 'Before and after training, the same tasks',
};

function makeRows(
  table: PublishedName,
  sources: readonly RecordSource[],
  published: Published | null,
): readonly (RemadeRow | RlRow)[] {
  switch (table) {
    case 'cliff':
      return makeCliffRows(sources.flatMap(listTrials), published);
    case 'suite':
      return makeSuiteRows(sources.flatMap(listTrials), published);
    case 'rl':
      return listExperiments(sources, published).flatMap((experiment) => makeRlRows(experiment, published));
  }
}

function listTrials({ study, records }: RecordSource): readonly Trial[] {
  return study === null ? toTrials(records) : toStudyTrials(study.records);
}

/** The study's by their files; of our own, the first run is the base and the second the trained one. */
function listExperiments(sources: readonly RecordSource[], published: Published | null): readonly Experiment[] {
  if (published === null) {
    const [base, trained, ...more] = sources.map(listTrials);
    if (base !== undefined && trained !== undefined && more.length === 0) return [{ name: 'runs', base, trained }];
    throw tableError('rl', 'two runs: the base, then the trained one', `${sources.length}`);
  }
  const placed = sources.map((source) => ({ source, file: findFile(source, published.files) }));
  const lost = placed.find(({ file }) => file === null);
  if (lost !== undefined) {
    throw tableError('rl', `one of ${published.files.map(({ name }) => name).join(', ')}`, lost.source.file);
  }
  const names = [...new Set(published.files.flatMap(({ experiment }) => experiment ?? []))];
  return names
    .map((name) => {
      const of = (stage: string) =>
        placed
          .filter(({ file }) => file?.experiment === name && file.stage === stage)
          .flatMap(({ source }) => listTrials(source));
      return { name, base: of('base'), trained: of('trained') };
    })
    .filter(({ base, trained }) => base.length > 0 || trained.length > 0);
}

/**
 * The published file that a source is: by its name, or by its bytes where it was renamed. Base evaluations of two
 * experiments are the same bytes, so the name comes first.
 */
function findFile({ file, study }: RecordSource, files: Published['files']): Published['files'][number] | null {
  const named = files.find(({ name }) => basename(name) === basename(file));
  return named ?? files.find(({ sha256 }) => sha256 === study?.sha256) ?? null;
}

function listChanged(sources: readonly RecordSource[], { files }: Published): readonly string[] {
  return sources.filter((source) => findFile(source, files)?.sha256 !== source.study?.sha256).map(({ file }) => file);
}

function tableError(table: string, expected: string, found: string): InputError {
  return new InputError({
    code: 'E_TABLE',
    what: 'Cannot make a table again',
    where: `--table ${table}`,
    expected,
    found,
  });
}
