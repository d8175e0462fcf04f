import { expect, test } from 'vitest';
import { fillOracleCommands } from './oracle-commands.ts';
import { makeRecord } from './record.test-double.ts';

const source = { file: 'f', study: null, loop: null, cut: null };
const task = { task_hash: 'a' };

test('fillOracleCommands() takes the shortest passing oracle of a task, when the record has none', () => {
  const oracles = [
    makeRecord({ ...task, policy: 'oracle', passed: true, agent_commands: 6 }),
    makeRecord({ ...task, policy: 'oracle:arming', passed: true, agent_commands: 4 }),
    makeRecord({ ...task, policy: 'oracle:broken', agent_commands: 1 }),
  ];
  const played = [
    makeRecord({ ...task, agent_commands: 8 }),
    makeRecord({ ...task, oracle_commands: 5 }),
    makeRecord({ task_hash: 'other' }),
  ];
  const [, filled] = fillOracleCommands([
    { ...source, records: oracles },
    { ...source, records: played },
  ]);
  expect(filled?.records.map(({ oracle_commands }) => oracle_commands)).toEqual([4, 5, null]);
});
