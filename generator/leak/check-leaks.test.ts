import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { hashTask } from '../../env/index.ts';
import { createTasks, makeTask, selectTasks } from '../select/index.ts';
import { freezeSplitFile, loadSplit } from '../split/index.ts';
import { checkLeaks } from './check-leaks.ts';
import { readRows } from './row.ts';

const folder = mkdtempSync(join(tmpdir(), 'muxgym-leak-'));
afterAll(() => rmSync(folder, { recursive: true }));

const reference = selectTasks({ seeds: '0-9' });
const check = (split: string, ...rows: unknown[]) => {
  const path = join(folder, 'rows.jsonl');
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return checkLeaks(readRows(path), loadSplit(split), reference);
};
const kinds = (split: string, ...rows: unknown[]) => check(split, ...rows).findings.map(({ kind }) => kind);
const messages = (prompt: string) => [
  { role: 'system', content: 'You are in a shell.' },
  { role: 'user', content: `Task:\n${prompt}` },
  { role: 'assistant', content: 'cat a > $REPORT' },
];

test('checkLeaks() finds nothing, when every training task of the reference is a row, as a task and as messages', () => {
  const inside = [...selectTasks({ split: 'cliff:train', seeds: '0-9' })];
  const report = check('cliff:train', ...inside, ...inside.map(({ prompt }) => ({ messages: messages(prompt) })));
  expect(report).toMatchObject({ rows: 300, proven: 150, findings: [], near: [] });
});

test('checkLeaks() decides by structure, when a row is or names a held-out task that is not in the reference', () => {
  const task = makeTask('cliff-d4-n33-s12345');
  expect(kinds('cliff:train', task, { task: task.id }, { task_id: task.id })).toEqual([
    'structure',
    'structure',
    'structure',
  ]);
  expect(kinds('cliff:holdout-d3d4', { task: task.id }, { task: 'cliff-d0-n1-s1' })).toEqual(['structure']);
  expect(check('cliff:train', { task: task.id }).findings[0]).toMatchObject({
    where: expect.stringMatching(/rows\.jsonl:1$/),
    task: task.id,
    found: 'depth D4 is not in D0-D2',
  });
});

test('checkLeaks() decides by hash, when a row carries no more than a held-out hash, or not its own', () => {
  const heldOut = hashTask(makeTask('cliff-d3-n4-s2'));
  const inside = hashTask(makeTask('cliff-d1-n4-s2'));
  expect(kinds('cliff:train', { task_hash: heldOut }, { task_hash: inside })).toEqual(['hash']);
  expect(kinds('cliff:train', { task: 'cliff-d1-n4-s2', task_hash: inside })).toEqual([]);
  expect(kinds('cliff:train', { task: 'cliff-d1-n4-s2', task_hash: heldOut })).toEqual(['hash']);
});

test('checkLeaks() finds a held-out prompt, when a row names no task or a false one', () => {
  const { prompt } = makeTask('cliff-d3-n4-s2');
  expect(kinds('cliff:train', { prompt }, { messages: messages(prompt) })).toEqual(['prompt', 'prompt']);
  expect(kinds('cliff:train', { task: 'cliff-d0-n1-s1', prompt })).toEqual(['prompt']);
});

test('checkLeaks() reports a near-duplicate, when a held-out wording has another name in it', () => {
  const { prompt, plan } = makeTask('cliff-d3-n2-s2');
  const name = plan
    .flatMap((operation) => (operation.type === 'worker' ? [operation.name] : []))
    .find((word) => prompt.includes(word));
  const other = prompt.replace(String(name), 'somewhere99').toUpperCase();
  expect(kinds('cliff:train', { prompt: other })).toEqual(['near-duplicate']);
});

describe('planted leaks among clean rows', () => {
  const clean = [...createTasks({ split: 'cliff:train', size: 60, seed: 1 })].map((task, index) =>
    index % 2 === 0 ? { task: task.id, messages: messages(task.prompt) } : { messages: messages(task.prompt) },
  );
  const plant = (split: string, row: unknown) => {
    const { findings } = check(split, ...clean.slice(0, 40), row, ...clean.slice(40));
    return findings.map(({ where, kind }) => `${where.replace(/^.*:/, '')} ${kind}`);
  };

  test('checkLeaks() finds nothing, when none is planted', () => {
    expect(check('cliff:train', ...clean).findings).toEqual([]);
  });

  const seeds = join(folder, 'seeds.toml');
  const zeros = '0'.repeat(64);
  writeFileSync(
    seeds,
    `schema = 1\nhash = "${zeros}"\n[splits.out]\nrole = "holdout"\nseeds = "1000-1999"\n[splits.in]\nrole = "train"\nseeds = "0-999"\n`,
  );
  writeFileSync(seeds, freezeSplitFile(seeds).text);

  test.each([
    ['the same seed, by id', `${seeds}:out`, { task: 'cliff-d0-n1-s1500' }],
    ['the same seed, by id, against the training part', `${seeds}:in`, { task: 'cliff-d0-n1-s1500' }],
    ['the same seed, by the axes of a record', `${seeds}:out`, { depth: 0, ops: 1, seed: 1500, prompt: 'do it' }],
    ['a held-out depth in an SFT row, by id', 'cliff:train', { task: 'cliff-d3-n2-s7', script: 'x', prompt: 'y' }],
    ['a held-out depth in an SFT row, by its axes', 'cliff:train', { suite: 'cliff', depth: 4, prompt: 'y' }],
    ['a held-out depth of profile classic', 'cliff:holdout-d3d4', { task: 'cliff.classic-d4-n2-s7', prompt: 'y' }],
  ])('checkLeaks() decides by structure, when it is %s', (_, split, row) => {
    const rows = [{ task: 'cliff-d0-n1-s5' }, row, { task: 'cliff-d1-n1-s6' }];
    expect(check(split, ...rows).findings.map(({ where, kind }) => [where.replace(/^.*:/, ''), kind])).toEqual([
      ['2', 'structure'],
    ]);
  });

  test('checkLeaks() finds the same hash, when the row says nothing else', () => {
    expect(plant('cliff:train', { task_hash: hashTask(makeTask('cliff-d4-n8-s3')) })).toEqual(['41 hash']);
  });

  test('checkLeaks() finds an SFT row of a held-out depth, when it carries only messages', () => {
    expect(plant('cliff:train', { messages: messages(makeTask('cliff-d4-n2-s3').prompt) })).toEqual(['41 prompt']);
    const prompt = messages(makeTask('cliff-d3-n2-s3').prompt).slice(0, 2);
    expect(plant('cliff:train', { prompt, completion: messages('').slice(2) })).toEqual(['41 prompt']);
  });

  test.each([
    'There are plenty of windows in tmux session main, but just river17 and stone22 show genuine tokens; everything else is fake. Save the genuine ones (the eight hex characters after token:) in $REPORT, each on its own line.',
    "Among the many windows in session main, ignore the decoys. From river17 and stone22 only, take the hex string that follows 'token:' on the screen and put it in $REPORT, one per line.",
    'Most of the windows here lie. The real ones are maple20, cedar31. Report their tokens, nothing else, one a line, in $REPORT.',
    'Pick out windows alpha11 beta22 in main, leave the rest alone since their tokens are false; write the tokens to $REPORT.',
    'Some workers have exited: windows maple20, cedar31 in tmux session main. Bring each back with respawn-pane, give it a second, and read the 8 hex digit token it prints. Save all tokens to $REPORT, one per line.',
    "The panes in windows maple20 and cedar31 are dead. Revive them; after about a second each shows 'token: ' and 8 hex digits. Collect these in $REPORT.",
    'Restart the dead worker in window apple44 of session main, wait a moment, copy its token into $REPORT.',
  ])('checkLeaks() finds a paraphrase of a held-out prompt, when it says %j', (text) => {
    expect(plant('cliff:train', { messages: messages(text) })).toEqual(['41 paraphrase']);
  });

  test('checkLeaks() finds a paraphrase, when it only names the places of a held-out task', () => {
    const places = makeTask('cliff-d3-n4-s2')
      .prompt.match(/[a-z]+\d\d/g)!
      .slice(0, 4);
    expect(plant('cliff:train', { prompt: `Have a look at ${places.join(' and ')}, please.` })).toEqual([
      '41 paraphrase',
    ]);
  });

  test.each([
    'Look at the screens of windows river17 and stone22 in tmux session main; each shows a line token: with 8 hex digits. Save these digits to $REPORT, one per line.',
    'Capture the pane of each window river17, stone22 (session main) and write the token displayed there into $REPORT.',
    'Two global tmux user options, @river17 and @stone22, hold tokens of 8 hex digits. Write them to $REPORT, one per line, nothing else.',
    'The files river17.txt and notes/stone22.txt in your home directory contain a token each. Put both in $REPORT.',
    'Write a Python function that returns the sum of a list of numbers.',
    'Explain how tmux windows and panes relate to sessions.',
  ])('checkLeaks() passes other words for what may be trained on, when it says %j', (text) => {
    expect(plant('cliff:train', { messages: messages(text) })).toEqual([]);
  });
});

test('readRows() reads the records of a run, when given its folder', () => {
  const run = join(folder, 'run');
  mkdirSync(run);
  writeFileSync(join(run, 'episodes.jsonl'), '{"episode":"e","task":"cliff-d3-n1-s1","seed":1,"policy":"oracle"}\n');
  expect(checkLeaks(readRows(run), loadSplit('cliff:train'), reference).findings).toMatchObject([
    { kind: 'structure', task: 'cliff-d3-n1-s1' },
  ]);
  rmSync(join(run, 'episodes.jsonl'));
  expect(() => [...readRows(run)]).toThrow(expect.objectContaining({ code: 'E_FILE' }));
});

test.each([
  ['train-no-bell', 'holdout-bell', '3'],
  ['train-not-nested', 'holdout-nested', '3'],
])(
  'checkLeaks() passes prompts of %s and finds those of %s, when rows of seed %s are nothing but messages',
  (train, holdout, seeds) => {
    const choice = { suite: 'events', kinds: 'bell,death', levels: 'E1,E3', counts: '1' };
    const known = [...selectTasks({ ...choice, seeds: '0-4', delegations: 'solo,nested' })];
    const findings = (split: string) => {
      const tasks = [...createTasks({ ...choice, seeds, split, delegations: 'solo,nested' })];
      const path = join(folder, 'events.jsonl');
      writeFileSync(path, tasks.map(({ prompt }) => `${JSON.stringify({ messages: messages(prompt) })}\n`).join(''));
      return { rows: tasks.length, found: checkLeaks(readRows(path), loadSplit(holdout), known).findings.length };
    };
    expect(findings(train)).toEqual({ rows: 4, found: 0 });
    expect(findings(holdout)).toEqual({ rows: 4, found: 4 });
  },
);

test('checkLeaks() reports wording apart, when the structure proves that the row is inside', () => {
  const near = [...selectTasks({ depths: 'D0', ops: '15', seeds: '0-9' })];
  const report = check('cliff:train-ops15', ...near);
  expect(report.findings).toEqual([]);
  expect(report.proven).toBe(10);
});

test.each([
  ['{"task":"cliff-d0-n1-s1"}\n{"tas', 'E_JSON', 'rows.jsonl:2'],
  ['{"answer":1}\n', 'E_ROW', 'rows.jsonl:1'],
  ['[1]\n', 'E_ROW', 'rows.jsonl:1'],
  ['{"plan":[]}\n', 'E_TASK', 'rows.jsonl:1'],
])('readRows() names file and line, when the file holds %j', (text, code, where) => {
  const path = join(folder, 'rows.jsonl');
  writeFileSync(path, text);
  expect(() => [...readRows(path)]).toThrow(
    expect.objectContaining({ code, facts: expect.objectContaining({ where: expect.stringContaining(where) }) }),
  );
});
