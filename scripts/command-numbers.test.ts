import { expect, test } from 'vitest';
import { evalCommand } from './eval.ts';
import { redteamCommand } from './redteam.ts';

test.each([
  ['eval', evalCommand, '--price', '1,'],
  ['eval', evalCommand, '--price', ',1'],
  ['eval', evalCommand, '--price', '1,2,3'],
  ['redteam', redteamCommand, '--seed', 'abc'],
  ['redteam', redteamCommand, '--seed', '1.5'],
] as const)('$0 throws E_NUMBER naming the flag, when $2 is $3', (_name, make, flag, word) => {
  const parse = () => make().parse([flag, word], { from: 'user' });
  expect(parse).toThrow(expect.objectContaining({ code: 'E_NUMBER', message: expect.stringContaining(flag) }));
});

test('redteam takes a seed of 0', () => {
  expect(() => redteamCommand().parseOptions(['--seed', '0'])).not.toThrow();
});
