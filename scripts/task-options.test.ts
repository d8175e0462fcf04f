import { Command } from 'commander';
import { expect, test } from 'vitest';
import { generateCommand } from './generate.ts';
import { splitCommand } from './split.ts';
import { addTaskOptions, pickTaskFlags, resolveTasks, type TaskOptions } from './task-options.ts';
import { validateCommand } from './validate.ts';

const parse = (...words: string[]) =>
  addTaskOptions(new Command('any').exitOverride()).parse(words, { from: 'user' }).opts<TaskOptions>();

test('resolveTasks() chooses what the flags say, when ranges, limit and shard are given', () => {
  const tasks = resolveTasks(parse('--depths', 'D1', '--ops', '1-4', '--seeds', '7', '--limit', '3', '--shard', '2/2'));
  expect([...tasks].map(({ id }) => id)).toEqual(['cliff-d1-n2-s7']);
});

test('addTaskOptions() collects names, when --tasks is repeated', () => {
  const options = parse('--tasks', 'cliff-d0-n1-s1,cliff-d1-n1-s1', '--tasks', 'cliff-d2-n1-s1');
  expect([...resolveTasks(options)].map(({ depth }) => depth)).toEqual([0, 1, 2]);
});

test('pickTaskFlags() keeps only what was given, when a command has options of its own', () => {
  const options: TaskOptions = { ...parse('--ops', '1'), ...{ out: 'x' } };
  expect(pickTaskFlags(options)).toEqual({ ops: '1' });
});

test.each([['0'], ['x'], ['-1'], ['1.5']])('addTaskOptions() names the flag, when --limit is %s', (text) => {
  expect(() => parse('--limit', text)).toThrow(expect.objectContaining({ code: 'E_NUMBER' }));
});

test('resolveTasks() names the mistake, when a seed is negative', () => {
  expect(() => resolveTasks(parse('--seeds', '-5'))).toThrow(expect.objectContaining({ code: 'E_SEED' }));
});

test('generate, validate and split take the task flags, when their help is printed', () => {
  const check = splitCommand().commands.find((command) => command.name() === 'check');
  for (const command of [generateCommand(), validateCommand(), check])
    expect(command?.helpInformation()).toContain('--depths');
});
