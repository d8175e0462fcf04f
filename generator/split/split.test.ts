import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeCliffTask } from '../cliff/index.ts';
import { makeEventTask, parseEventId } from '../levels/index.ts';
import { explainWider, requireInside } from './ceiling.ts';
import { bundledSplitFiles, findSplitFile, loadSplit, loadSplits } from './load-split.ts';
import { requireAllowed } from './split.ts';
import { freezeSplitFile } from './split-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'muxgym-split-'));
afterAll(() => rmSync(folder, { recursive: true }));

const zeros = '0'.repeat(64);
const task = (depth: number, ops = 1, seed = 0) => makeCliffTask({ depth, ops, seed, profile: 'fair' });
const eventTask = (id: string) => makeEventTask(parseEventId(id));
const write = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const freeze = (name: string, rules: string) => {
  const path = write(name, `schema = 1\nhash = "${zeros}"\n${rules}`);
  writeFileSync(path, freezeSplitFile(path).text);
  return path;
};

describe('the bundled splits', () => {
  test('loadSplit() finds a split by path, by file name and by name alone, when it is bundled', () => {
    const path = findSplitFile('cliff');
    const found = [`${path}:train`, 'data/splits/cliff.toml:train', 'cliff:train', 'train'].map(loadSplit);
    for (const split of found) expect(split).toMatchObject({ name: 'train', label: 'cliff:train', role: 'train' });
    expect(loadSplit('train').hash).toBe(loadSplit('train-d0d2').hash);
    expect(loadSplit('train').hash).not.toBe(loadSplit('train-d0d1').hash);
  });

  test('allows() and explain() agree, when tasks are inside and outside of train', () => {
    const split = loadSplit('cliff:train');
    expect([0, 1, 2, 3, 4].map((depth) => split.allows(task(depth)))).toEqual([true, true, true, false, false]);
    expect(split.explain(task(2))).toBeNull();
    expect(split.explain(task(3))).toBe('depth D3 is not in D0-D2');
    expect(() => requireAllowed(split, task(3))).toThrow(expect.objectContaining({ code: 'E_SPLIT' }));
  });

  test('train and held-out splits share no task, when they belong together', () => {
    for (const [train, holdout] of [
      ['train', 'holdout-d3d4'],
      ['train-ops15', 'holdout-ops16'],
    ] as const) {
      for (const depth of [0, 1, 2, 3, 4]) {
        for (const ops of [1, 15, 16]) {
          const both = loadSplit(train).allows(task(depth, ops)) && loadSplit(holdout).allows(task(depth, ops));
          expect(both).toBe(false);
        }
      }
    }
  });

  test('every bundled split loads by its name alone, when its file is frozen', () => {
    for (const file of bundledSplitFiles) {
      for (const { name, hash } of loadSplits(file)) expect(loadSplit(name).hash).toBe(hash);
    }
    const ready = ['holdout-d3d4', 'train-d0d1', 'holdout-bell', 'holdout-nested', 'holdout-ops16'];
    expect(ready.map((name) => loadSplit(name).label)).toEqual([
      'cliff:holdout-d3d4',
      'cliff:train-d0d1',
      'events:holdout-bell',
      'events:holdout-nested',
      'cliff:holdout-ops16',
    ]);
  });

  test('allows() looks at kind, level, delegation and arm, when the split is one of event tasks', () => {
    const names = ['holdout-bell', 'train-no-bell', 'holdout-nested', 'train-not-nested', 'holdout-e3e4', 'train-told'];
    const inside = (id: string) => names.filter((name) => loadSplit(name).allows(eventTask(id)));
    expect(inside('events-bell-e0-k1-s1')).toEqual(['holdout-bell', 'train-not-nested']);
    expect(inside('events-bell-e0-k1-s1+told')).toEqual(['holdout-bell', 'train-not-nested', 'train-told']);
    expect(inside('events-mixed-e0-k2-s1+none')).toEqual(['holdout-bell', 'train-not-nested']);
    expect(inside('events-death-e4-k1-s1~delegation=one')).toEqual([
      'train-no-bell',
      'train-not-nested',
      'holdout-e3e4',
    ]);
    expect(inside('events-death-e0-k1-s1~delegation=nested')).toEqual(['train-no-bell', 'holdout-nested']);
    expect(names.filter((name) => loadSplit(name).allows(task(0)))).toEqual([]);
    expect(loadSplit('holdout-nested').explain(task(0))).toBe('it has no delegation, and only nested is inside');
    expect(loadSplit('train-no-bell').explain(eventTask('events-bell-e0-k1-s1'))).toBe(
      'event kind "bell" is not one of death, activity, silence, completion, interrupt',
    );
  });
});

describe('ceilings', () => {
  const path = freeze(
    'ceiling.toml',
    `
[splits.all]
role = "train"
[splits.wide]
role = "train"
depths = "D0-D2"
seeds = "0-99,200-299"
[splits.narrow]
role = "train"
depths = "D0,D2"
seeds = "10-20,250"
[splits.across]
role = "train"
depths = "D0"
seeds = "90-210"
[splits.listed]
role = "train"
depths = "D0"
seeds = "1"
tasks = ["cliff-d0-n1-s1"]
`,
  );
  const split = (name: string) => loadSplit(`${path}:${name}`);

  test('explainWider() is null, when every axis is inside of the ceiling', () => {
    for (const name of ['wide', 'narrow', 'listed']) expect(explainWider(split(name), split('wide'))).toBeNull();
    expect(explainWider(split('wide'), split('all'))).toBeNull();
  });

  test('explainWider() names the axis, when it reaches beyond the ceiling', () => {
    expect(explainWider(split('across'), split('wide'))).toBe('"across" is wider than "wide" in seeds');
    expect(explainWider(split('all'), split('wide'))).toBe('"all" is wider than "wide" in depths');
    expect(explainWider(split('wide'), split('listed'))).toContain('depths');
    expect(() => requireInside(split('across'), split('wide'))).toThrow(
      expect.objectContaining({ code: 'E_SPLIT_WIDER' }),
    );
  });

  test('allows() needs every axis to hold, when several are stated', () => {
    expect(split('narrow').allows(task(0, 1, 10))).toBe(true);
    expect(split('narrow').allows(task(1, 1, 10))).toBe(false);
    expect(split('narrow').allows(task(0, 1, 21))).toBe(false);
    expect(split('listed').allows(task(0, 1, 1))).toBe(true);
    expect(split('listed').allows(task(0, 2, 1))).toBe(false);
  });
});

describe('split files', () => {
  const codeOf = (code: string) => expect.objectContaining({ code });

  test('loadSplit() refuses a file, when one range was edited without a new hash', () => {
    const path = freeze('edited.toml', '[splits.a]\nrole = "train"\ndepths = "D0"\n');
    expect(loadSplit(`${path}:a`).allows(task(1))).toBe(false);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"D0"', '"D0-D4"'));
    expect(() => loadSplit(`${path}:a`)).toThrow(codeOf('E_SPLIT_HASH'));
    writeFileSync(path, freezeSplitFile(path).text);
    expect(loadSplit(`${path}:a`).allows(task(4))).toBe(true);
  });

  test('freezeSplitFile() keeps comments and order, when it writes the hash', () => {
    const path = freeze('comment.toml', '# why\n[splits.a]\nrole = "train" # because\n');
    expect(readFileSync(path, 'utf8')).toMatch(/^schema = 1\nhash = "[1-9a-f][0-9a-f]{63}|# because/);
    expect(readFileSync(path, 'utf8')).toContain('# why\n[splits.a]\nrole = "train" # because\n');
  });

  test.each([
    ['[splits.a]\nrole = "train"\ndepth = "D0"\n', 'E_SPLIT_SCHEMA'],
    ['[splits.a]\nrole = "test"\n', 'E_SPLIT_SCHEMA'],
    ['[splits.a]\nrole = "train"\nseeds = 7\n', 'E_SPLIT_SCHEMA'],
    ['[splits.a]\nrole = "train"\nseeds = 9007199254740993\n', 'E_TOML'],
    ['[splits.a\n', 'E_TOML'],
  ])('loadSplit() names the mistake, when the file says %j', (rules, code) => {
    const path = write('bad.toml', `schema = 1\nhash = "${zeros}"\n${rules}`);
    expect(() => loadSplit(`${path}:a`)).toThrow(codeOf(code));
  });

  test('loadSplit() takes a seed to the digit or refuses it, when it is large', () => {
    const largest = freeze('large.toml', '[splits.a]\nrole = "train"\nseeds = "9007199254740990-9007199254740991"\n');
    expect(loadSplit(`${largest}:a`).allows(task(0, 1, Number.MAX_SAFE_INTEGER))).toBe(true);
    expect(loadSplit(`${largest}:a`).allows(task(0, 1, Number.MAX_SAFE_INTEGER - 2))).toBe(false);
    const beyond = freeze('beyond.toml', '[splits.a]\nrole = "train"\nseeds = "9007199254740993"\n');
    expect(() => loadSplit(`${beyond}:a`)).toThrow(codeOf('E_SEED'));
  });

  test('loadSplit() names the mistake, when a word or a level does not exist', () => {
    const words = freeze('words.toml', '[splits.a]\nrole = "train"\nkinds = ["rain"]\n');
    expect(() => loadSplit(`${words}:a`)).toThrow(codeOf('E_KIND'));
    const levels = freeze('levels.toml', '[splits.a]\nrole = "train"\nlevels = "E5"\n');
    expect(() => loadSplit(`${levels}:a`)).toThrow(codeOf('E_LEVEL'));
  });

  test('loadSplit() names file and field, when a range is malformed', () => {
    const path = freeze('range.toml', '[splits.a]\nrole = "train"\ndepths = "D9"\n');
    expect(() => loadSplit(`${path}:a`)).toThrow(codeOf('E_DEPTH'));
    expect(() => loadSplit(`${path}:b`)).toThrow(codeOf('E_SPLIT_NAME'));
    expect(() => loadSplit(`${path}:toString`)).toThrow(codeOf('E_SPLIT_NAME'));
  });
});
