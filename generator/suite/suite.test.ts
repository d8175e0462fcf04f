import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { eventKinds } from '../../env/index.ts';
import { findSuiteTask, listTaskFiles, loadSuite, makeTaskJsonSchema, suiteFolder } from './index.ts';

test('the suites hold what they promise in number and kind', () => {
  expect(loadSuite('solo').length).toBeGreaterThanOrEqual(20);
  expect(loadSuite('events').length).toBeGreaterThanOrEqual(24);
  expect(loadSuite('control').length).toBeGreaterThanOrEqual(16);
  const kinds = loadSuite('events').flatMap(({ events }) => events.map(({ kind }) => kind));
  expect([...new Set(kinds)].sort()).toEqual([...eventKinds].sort());
  expect(findSuiteTask('B-DIE-002')?.about).toMatchObject({ category: 'B-DIE', tier: 4 });
});

test.each(listTaskFiles(suiteFolder))('%s states itself and holds its proofs', (path) => {
  const file = parse(readFileSync(path, 'utf8')) as { solutions: Record<string, unknown[]> };
  expect(file).toMatchObject({ teaches: expect.any(String), guess: expect.any(Number) });
  expect(file.solutions['honest']?.length).toBeGreaterThanOrEqual(3);
  expect(file.solutions['lazy']?.length).toBeGreaterThanOrEqual(2);
});

test('makeTaskJsonSchema() is what is committed', () => {
  const committed: unknown = JSON.parse(readFileSync(join(suiteFolder, 'task.schema.json'), 'utf8'));
  expect(JSON.parse(JSON.stringify(makeTaskJsonSchema()))).toEqual(committed);
});
