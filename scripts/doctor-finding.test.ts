import { expect, test } from 'vitest';
import { isAtLeastVersion } from './doctor-finding.ts';

test.each([
  ['tmux 3.3a', '3.3a', true],
  ['tmux 3.3', '3.3a', false],
  ['tmux 3.4', '3.3a', true],
  ['tmux next-3.6', '3.3a', true],
  ['tmux 2.9b', '3.3a', false],
  ['20.19.0', '20.19', true],
  ['20.18.9', '20.19', false],
  ['22.1.0', '20.19', true],
  ['no version', '3.3a', false],
])('isAtLeastVersion() compares numbers, then the letter, when %s meets %s', (found, least, expected) => {
  expect(isAtLeastVersion(found, least)).toBe(expected);
});
