import { describe, expect, test } from 'vitest';
import { parseTextAction, showControls } from './play-text.ts';

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

test('showControls() writes control characters out and leaves text, tabs and lines, when a world prints any', () => {
  expect(showControls('a\tb\n\x1b]0;title\x07\x1b[31mré\u{1F600}d\x7f\x00\r\n\u009b2J')).toBe(
    'a\tb\n^[]0;title^G^[[31mré\u{1F600}d^?^@^M\nM-^[2J',
  );
});
