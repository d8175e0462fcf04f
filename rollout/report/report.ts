import { InputError } from '../../env/index.ts';
import type { RolloutRecord } from '../record/index.ts';
import { formatHeading } from './grid.ts';
import { groupBy } from './group.ts';
import { makeCross, makeCrossSections, makeH1, makeH1Sections, makeH2, makeH2Sections } from './hypothesis/index.ts';
import { fillOracleCommands } from './oracle-commands.ts';
import type { RecordSource } from './read-source.ts';
import { makeRunResults, makeRunSections } from './run-report.ts';
import type { Part } from './section.ts';
import {
  findTables,
  makeAbsentSection,
  makeRemadeSection,
  type PublishedName,
  publishedTables,
  type RemadeTable,
  readAbsentTables,
  remakeTable,
} from './study/index.ts';

/** What a report can be asked for beside the figures of each run. */
export const reportTables = [...publishedTables, 'h1', 'h2', 'cross'] as const;
export type ReportTable = (typeof reportTables)[number];

/** A report for people, the same as data, and what is to be looked at. */
export interface Report {
  readonly parts: readonly Part[];
  readonly data: object;
  /** Cells that are not as published; the report is then one with findings. */
  readonly differences: number;
}

/**
 * Makes one report of several sources. Without `table`: every figure of each run, and the tables that the study's
 * records make. Throws an InputError (`E_TABLE`) where the records cannot make the table.
 */
export function makeReport(given: readonly RecordSource[], table: ReportTable | null): Report {
  const sources = fillOracleCommands(given);
  switch (table) {
    case null:
      return makeOverview(sources);
    case 'cliff':
    case 'suite':
    case 'rl':
      return makeStudyReport([remakeTable(table, sources)]);
    case 'h1':
      return makeHypothesis(table, sources, (episodes) => {
        const h1 = makeH1(episodes);
        return { data: h1, sections: makeH1Sections(h1) };
      });
    case 'h2':
      return makeHypothesis(table, sources, (episodes) => {
        const h2 = makeH2(episodes);
        return { data: h2, sections: makeH2Sections(h2) };
      });
    case 'cross':
      return makeCrossReport(sources);
  }
}

function makeOverview(sources: readonly RecordSource[]): Report {
  const own = sources.filter(({ study }) => study === null);
  const reports = own.map(({ file, records, cut }) => ({
    file,
    cut: cut?.code ?? null,
    results: makeRunResults(records),
  }));
  const parts = reports.flatMap(({ file, results }): readonly Part[] =>
    results.length === 0
      ? [{ heading: `${file}: no episodes`, sections: [] }]
      : results.map((result) => ({
          heading: `${formatHeading(result)} (${file})`,
          sections: makeRunSections(result),
        })),
  );
  const fromStudy = sources.filter(({ study }) => study !== null);
  const study = makeStudyReport(findTables(fromStudy).map((table) => remakeTable(table, listFor(table, fromStudy))));
  return {
    parts: [...parts, ...study.parts],
    data: { reports, ...study.data },
    differences: study.differences,
  };
}

/** The study's records that belong to a table. */
function listFor(table: PublishedName, sources: readonly RecordSource[]): readonly RecordSource[] {
  return sources.filter((source) => findTables([source]).includes(table));
}

function makeStudyReport(tables: readonly RemadeTable[]): Report {
  const absent = tables.some(({ published }) => published !== null) ? readAbsentTables() : [];
  const parts = tables.map((table) => ({
    heading: table.published === null ? table.title : `Remade from raw records: ${table.table}`,
    sections: [makeRemadeSection(table)],
  }));
  const rest = absent.length === 0 ? [] : [{ heading: 'Not remade', sections: [makeAbsentSection(absent)] }];
  return {
    parts: [...parts, ...rest],
    data: { tables, absent },
    differences: tables.reduce((sum, { differences }) => sum + differences.length, 0),
  };
}

function makeHypothesis(
  table: ReportTable,
  sources: readonly RecordSource[],
  make: (records: readonly RolloutRecord[]) => { readonly data: object; readonly sections: Part['sections'] },
): Report {
  const records = requireEvents(table, sources);
  const groups = [...groupBy(records, ({ policy, model }) => JSON.stringify([policy, model])).values()];
  const made = groups.map((group) => {
    const [first] = group;
    const name = { policy: first?.policy ?? '', model: first?.model ?? null };
    return { name, ...make(group) };
  });
  return {
    parts: made.map(({ name, sections }) => ({
      heading: name.model === null ? name.policy : `${name.policy}, model ${name.model}`,
      sections,
    })),
    data: { table, results: made.map(({ name, data }) => ({ ...name, ...data })) },
    differences: 0,
  };
}

function makeCrossReport(sources: readonly RecordSource[]): Report {
  requireEvents('cross', sources);
  const cross = makeCross(sources.flatMap(({ records, loop }) => records.map((episode) => ({ episode, loop }))));
  return {
    parts: [{ heading: 'Scaffold x model', sections: makeCrossSections(cross) }],
    data: { table: 'cross', ...cross },
    differences: 0,
  };
}

/** The study's raw records say only whether a run missed its event, not when and how. */
function requireEvents(table: ReportTable, sources: readonly RecordSource[]): readonly RolloutRecord[] {
  const records = sources.flatMap((source) => source.records);
  if (records.some(({ events }) => events.length > 0)) return records;
  throw new InputError({
    code: 'E_TABLE',
    what: 'Cannot make a table',
    where: `--table ${table}`,
    expected: 'records of episodes with events',
    found: sources.map(({ file }) => file).join(', '),
    hint: 'play tasks of the suite "events" first: muxgym eval --suite events',
  });
}
