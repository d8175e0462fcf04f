import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InputError } from '../../env/index.ts';
import { loadTaskFile, loadTaskFolder, parseTaskFile } from './index.ts';

const valid = `id = "B-DIE-900"
category = "B-DIE"
tier = "T4"
title = "A worker dies"
seed = 9007199254740991
slots = 2
prompt = "Say what the worker said."
[env]
max_turns = 10
[[plan]]
window = "desk"
[[plan]]
worker = "w"
[[workers]]
name = "w"
split = "desk"
restart = ["again {{slot:1}}"]
hears = [{ line = "hello", acts = [{ print = ["hi"] }] }]
[[events]]
id = "death"
kind = "death"
worker = "w"
at = 3
says = ["last {{slot:0}}"]
status = 1
[[checks]]
id = "report"
role = "react"
event = "death"
file = "report.txt"
op = "lines"
expect = ["{{slot:0}}"]
[[checks]]
id = "seen"
role = "perceive"
event = "death"
field = "perceived"
required = false
op = "eq"
expect = "yes"
[[solutions.oracle]]
name = "wait"
script = "sleep 4"
[solutions.naive]
script = "true"
[solutions.wrong]
actions = [{ command = "true" }, { wait = 2 }, { target = "main:w", keys = ["Enter"] }]
`;

/** A fault is a change of the valid text; the place is where its message must point. */
const change = (from: string, to: string): string => {
  expect(valid).toContain(from);
  return valid.replace(from, to);
};

const faults: readonly (readonly [string, () => string, string, string])[] = [
  ['an unknown key', () => change('title =', 'titel ='), 'E_TASK_KEY', '4:1'],
  ['an unknown key in a table', () => change('op = "lines"', 'op = "lines"\nexpects = 1'), 'E_TASK_KEY', '32:1'],
  ['an unknown key in an action', () => change('{ wait = 2 }', '{ wait = 2, tick = 1 }'), 'E_TASK_KEY', '47:46'],
  ['a missing key', () => change('id = "B-DIE-900"\n', ''), 'E_TASK_MISSING', '1:1'],
  ['a missing key of a table', () => change('id = "seen"\n', ''), 'E_TASK_MISSING', '33:3'],
  ['a wrong type', () => change('slots = 2', 'slots = "2"'), 'E_TASK_TYPE', '6:9'],
  ['a fraction', () => change('max_turns = 10', 'max_turns = 1.5'), 'E_TASK_TYPE', '9:13'],
  ['a value out of range', () => change('max_turns = 10', 'max_turns = 0'), 'E_TASK_VALUE', '9:13'],
  ['an unknown tier', () => change('"T4"', '"T5"'), 'E_TASK_VALUE', '3:8'],
  ['an unknown pillar', () => change('"B-DIE"\n', '"D-DIE"\n'), 'E_TASK_VALUE', '2:12'],
  ['a bad op', () => change('op = "lines"', 'op = "like"'), 'E_TASK_OP', '31:6'],
  ['a line that would wrap', () => change('"hi"', `"${'x'.repeat(191)}"`), 'E_TASK_VALUE', '18:47'],
  ['a path out of HOME', () => change('window = "desk"', 'file = "../x"\ncontent = ""'), 'E_TASK_VALUE', '11:8'],
  ['a seed above 2^53', () => change('9007199254740991', '9007199254740993'), 'E_TASK_INTEGER', '5:8'],
  ['a negative seed', () => change('9007199254740991', '-1'), 'E_TASK_VALUE', '5:8'],
  ['no TOML', () => change('tier = "T4"', 'tier = T4'), 'E_TASK_TOML', '3:8'],
  ['a key twice', () => change('slots = 2', 'slots = 2\nslots = 3'), 'E_TASK_TOML', '7:1'],
  ['a string without an end', () => change('"A worker dies"', '"A worker dies'), 'E_TASK_TOML', '4:23'],
  ['carriage returns', () => valid.replaceAll('\n', '\r\n'), 'E_TASK_CRLF', '1:17'],
  ['a byte order mark', () => `\uFEFF${valid}`, 'E_TASK_BOM', '1:1'],
  ['two probes', () => change('file = "report.txt"', 'file = "report.txt"\nstarted = "w"'), 'E_TASK_PROBE', '31:1'],
  ['no probe', () => change('file = "report.txt"\n', ''), 'E_TASK_PROBE', '26:3'],
  ['a probe that writes', () => change('file = "report.txt"', 'tmux = ["kill-server"]'), 'E_TASK_PROBE', '30:8'],
  [
    'a step that says two things',
    () => change('worker = "w"\n[[w', 'worker = "w"\nwindow = "x"\n[[w'),
    'E_TASK_ONE_OF',
    '13:1',
  ],
  ['a key without its partner', () => change('window = "desk"', 'window = "desk"\nvalue = "1"'), 'E_TASK_PAIR', '12:1'],
  ['a window name twice', () => change('name = "w"', 'name = "desk"'), 'E_TASK_NAME', '11:10'],
  ['a check id twice', () => change('id = "seen"', 'id = "report"'), 'E_TASK_CHECK_ID', '34:6'],
  ['an unknown worker', () => change('worker = "w"\nat', 'worker = "v"\nat'), 'E_TASK_WORKER', '22:10'],
  ['an unknown event', () => change('event = "death"\nfield', 'event = "birth"\nfield'), 'E_TASK_EVENT', '36:9'],
  ['a cyclic set-up', () => change('split = "desk"', 'split = "w"'), 'E_TASK_CYCLE', '16:9'],
  ['a window used before it is made', () => change('split = "desk"', 'split = "door"'), 'E_TASK_ORDER', '16:9'],
  ['an unknown session', () => change('split = "desk"', 'session = "lab"'), 'E_TASK_ORDER', '16:11'],
  ['a slot in the prompt', () => change('what the worker', '{{slot:0}} as the worker'), 'E_TASK_SECRET', '7:10'],
  ['a token in the prompt', () => change('what the worker', '0badcafe as the worker'), 'E_TASK_SECRET', '7:10'],
  ['a slot in a solution', () => change('"sleep 4"', '"echo {{slot:0}}"'), 'E_TASK_SECRET', '43:10'],
  [
    'a secret in a command line',
    () => change('window = "desk"', 'window = "desk"\n[[plan]]\ntmux = ["new-window", "echo {{slot:0}}"]'),
    'E_TASK_SECRET',
    '13:23',
  ],
  [
    'a slot that does not exist',
    () => change('says = ["last {{slot:0}}"]', 'says = ["last {{slot:2}}"]'),
    'E_TASK_SLOT',
    '24:9',
  ],
  [
    'a secret that nobody shows',
    () => change('says = ["last {{slot:0}}"]', 'says = ["last"]'),
    'E_TASK_UNREACHABLE',
    '26:3',
  ],
  ['an event after the end', () => change('at = 3', 'at = 9999'), 'E_TASK_UNREACHABLE', '23:6'],
  ['a check of an event that never happens', () => change('at = 3\n', ''), 'E_TASK_UNREACHABLE', '35:9'],
  ['an event that nobody reacts to', () => change('role = "react"\n', ''), 'E_TASK_REACTION', '20:6'],
  ['a key of another kind of event', () => change('status = 1', 'ack = "x"'), 'E_TASK_EVENT_KEY', '19:3'],
  [
    'a number compared with a word',
    () => change('op = "eq"\nexpect = "yes"', 'op = "ge"\nexpect = "yes"'),
    'E_TASK_EXPECT',
    '40:10',
  ],
  ['nothing to compare with', () => change('op = "eq"\nexpect = "yes"', 'op = "eq"'), 'E_TASK_EXPECT', '33:3'],
  ['a bad pattern', () => change('op = "eq"\nexpect = "yes"', 'op = "regex"\nexpect = "("'), 'E_TASK_PATTERN', '40:10'],
  ['no naive solution', () => change('[solutions.naive]\nscript = "true"\n', ''), 'E_TASK_SOLUTION', '41:3'],
];

describe('parseTaskFile()', () => {
  test('takes the valid file, and keeps its largest exact seed', () => {
    expect(parseTaskFile(valid, 'task.toml')).toMatchObject({ id: 'B-DIE-900', seed: 9_007_199_254_740_991 });
  });

  test.each(faults)('names code and place of %s', (_, text, code, place) => {
    const error = catchError(() => parseTaskFile(text(), 'task.toml'));
    expect(`${error.code} ${error.facts.where?.replace(/ \(.*/, '')}`).toBe(`${code} task.toml:${place}`);
    expect(error.facts.hint).toMatch(/^> *\d+ \| /m);
    expect(error.facts.hint).toMatch(/^ *\| *\^$/m);
  });

  test('points to the first fault and counts the others', () => {
    const text = change('slots = 2', 'slots = "2"').replace('op = "lines"', 'op = "like"');
    const error = catchError(() => parseTaskFile(text, 'task.toml'));
    expect(error.message).toContain('at task.toml:6:9 (slots): expected number, found "2"');
    expect(error.facts.hint).toContain('also in this file: 31:6 E_TASK_OP');
  });
});

describe('loadTaskFile()', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'task-faults-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    return path;
  };

  test('names code and place of a file of 5 MB', () => {
    const path = write('large.toml', `${valid}# ${'x'.repeat(5 << 20)}\n`);
    expect(catchError(() => loadTaskFile(path))).toMatchObject({
      code: 'E_TASK_SIZE',
      facts: { where: `${path}:1:1` },
    });
  });

  test('names code and place of bytes that are no UTF-8', () => {
    const path = write('latin.toml', Buffer.from(valid.replace('worker dies', 'w\xf6rker dies'), 'latin1'));
    expect(catchError(() => loadTaskFile(path))).toMatchObject({
      code: 'E_TASK_ENCODING',
      facts: { where: `${path}:4:13`, found: 'byte 0xf6' },
    });
  });

  test('names a file that is not there', () => {
    expect(catchError(() => loadTaskFile(join(folder, 'none.toml'))).code).toBe('E_TASK_FILE');
  });

  test('loadTaskFolder() names both files of one id, and a folder without tasks', () => {
    const first = write('twice/a/task.toml', valid);
    const second = write('twice/b/task.toml', valid);
    const error = catchError(() => loadTaskFolder(join(folder, 'twice')));
    expect(error).toMatchObject({ code: 'E_TASK_ID', facts: { where: `${second}:1:1` } });
    expect(error.message).toContain(first);
    mkdirSync(join(folder, 'empty'));
    expect(catchError(() => loadTaskFolder(join(folder, 'empty'))).code).toBe('E_TASKS');
  });
});

function catchError(work: () => unknown): InputError {
  try {
    work();
  } catch (error) {
    return error as InputError;
  }
  throw new Error('Nothing was thrown');
}
