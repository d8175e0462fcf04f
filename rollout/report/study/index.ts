// The study's published tables
export { type PublishedName, publishedTables } from './published.ts';
export { listReferenceFiles, referenceFolder } from './reference.ts';
export { findTables, type RemadeTable, remakeTable } from './remake.ts';
export { makeRemadeSections } from './sections.ts';
