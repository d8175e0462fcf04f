// The study's published tables
export { type AbsentTable, type PublishedName, publishedTables, readAbsentTables } from './published.ts';
export { listReferenceFiles, referenceFolder } from './reference.ts';
export { findTables, type RemadeTable, remakeTable } from './remake.ts';
export { makeAbsentSection, makeRemadeSection } from './sections.ts';
