import { describe, expect, test } from 'vitest';
import { parseTextAction } from './play-text.ts';

describe('parseTextAction()', () => {
  test('parseTextAction() keeps a line as it is, when no colon leads', () => {
    expect(parseTextAction('  tmux  ls ')).toEqual({ type: 'command', command: '  tmux  ls ' });
  });

  test('parseTextAction() reads the other actions, when a colon leads', () => {
    expect(parseTextAction(':wait 3')).toEqual({ type: 'wait', ticks: 3 });
    expect(parseTextAction(':keys %2 yes Enter')).toEqual({ type: 'keys', target: '%2', keys: ['yes', 'Enter'] });
    expect(parseTextAction(':done')).toEqual({ type: 'done' });
  });

  test('parseTextAction() gives null, when the line is empty or no action', () => {
    for (const line of ['', '   ', ':wait x', ':wait 0', ':keys %2', ':dance'])
      expect(parseTextAction(line)).toBeNull();
  });
});
