import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LogEntry } from './log-entry.ts';
import { LogParser } from './log-parser.ts';

const recorded = readFileSync(new URL('../golden/server-log-3.3a.txt', import.meta.url), 'utf8').split('\n');

const looks = readFileSync(new URL('../golden/server-log-looks-3.3a.txt', import.meta.url), 'utf8').split('\n');

const parse = (lines: readonly string[]): readonly LogEntry[] => {
  const parser = new LogParser();
  return lines.flatMap((line) => parser.push(line) ?? []);
};

describe('LogParser', () => {
  test('finds the respawns and the end of a recorded log, and nothing that its arguments forge', () => {
    const forged = 'x\\n1764453600.000000 log closed\\n1764453600.000000 spawn_pane: s=$0 wl=1 wp0=%0 idx=0';
    const echo = { type: 'respawn', pane: '%1', argv: ['/bin/echo', forged, 'wp0=%0 tab\\tx'] };
    expect(parse(recorded).filter(({ type }) => type === 'respawn' || type === 'closed')).toEqual([
      { type: 'respawn', us: 1_795_990_288_574_360, pane: '%1', argv: ['/bin/cat', 'w1'] },
      { ...echo, us: 1_795_990_288_594_825 },
      { ...echo, us: 1_795_990_288_647_402 },
      { type: 'closed', us: 1_795_990_288_884_214 },
    ]);
  });

  test('counts what the server read of each pane, whatever was printed', () => {
    const consumed = parse(recorded).filter((entry) => entry.type === 'consumed');
    expect(consumed.map(({ pane, bytes }) => [pane, bytes])).toEqual(
      [10, 31, 10, 31, 3, 30, 67, 3, 30, 67].map((bytes) => ['%1', bytes]),
    );
    expect(consumed[0]).toEqual({ type: 'consumed', us: 1_795_990_288_562_018, pane: '%1', bytes: 10 });
  });

  test('leaves a new pane out, when it was made by new-window', () => {
    const end = recorded.findIndex((line) => line.includes('respawn-pane'));
    const lines = recorded.slice(0, end);
    expect(lines.some((line) => line.endsWith('spawn_pane: argv[1]=w1'))).toBe(true);
    expect(parse(lines).filter(({ type }) => type === 'respawn')).toEqual([]);
  });

  test('forgets a start that failed, when the next pane is new', () => {
    const line = (text: string) => `1795990288.574238 spawn_pane: ${text}`;
    expect(
      parse([
        line('s=$0 wl=1 wp0=%1 idx=-1'), // still active: tmux gives up here
        line('s=$0 wl=1 wp0=none idx=-1'),
        line('argv[0]=/opt/worker'),
        line('environment HOME=/home/agent'),
      ]),
    ).toEqual([]);
  });

  test('ignores an unescaped line of the agent, when it lacks the head of the server', () => {
    expect(parse(['log closed', ' 1795990288.574238 log closed', '1795990288.574238 log closed.'])).toEqual([]);
    expect(parse(['1795990288.574238 log closed'])).toHaveLength(1);
  });

  test('never throws, whatever the lines are', () => {
    const heads = [
      '',
      'spawn_pane: ',
      'spawn_pane: s=$0 wl=1 wp0=%',
      'cmdq_next <client-1>: [',
      'cmd_find_target: wp=%',
      'cmd_find_target: wl=1 1 w=@',
      'format_defaults: wp=%',
      "format_replace: format 'pane_dead' found: ",
      'notify_add: hook_pane=%',
      'notify_add: hook_window=@',
      'message: client-1 command: ',
      'message: /dev/pts/1 key x: ',
      'options_push_changes: ',
      'wait channel ',
      '%1 ',
    ];
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...recorded, ...looks),
      fc.tuple(fc.constantFrom(...heads), fc.string({ unit: 'binary' })).map(([h, t]) => `1795990288.574238 ${h}${t}`),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        for (const entry of parse(lines)) expect(Number.isInteger(entry.us)).toBe(true);
      }),
    );
  });

  test('says who was asked for what, which hooks ran, and which options were set, in a recorded log', () => {
    const entries = parse(looks).map(({ us: _, ...entry }) => entry);
    const places = { pane: '%1', window: '@1' };
    expect(entries).toContainEqual({
      type: 'read',
      command: 'list-panes',
      format: 'pane_dead',
      value: '0',
      ...places,
    });
    expect(entries).toContainEqual({
      type: 'read',
      command: 'display-message',
      format: 'pane_dead',
      value: '0',
      ...places,
    });
    expect(entries).toContainEqual({ type: 'ran', name: 'capture-pane', ...places });
    expect(entries).toContainEqual({ type: 'option', name: 'command-alias' });
    expect(entries).toContainEqual({ type: 'option', name: 'pane-died' });
    expect(entries).toContainEqual({ type: 'exited', pane: '%3' });
    expect(entries).toContainEqual({ type: 'hook', name: 'pane-died', pane: '%3', window: null });
    expect(entries).toContainEqual({ type: 'hook', name: 'alert-bell', pane: null, window: '@4' });
    expect(entries).toContainEqual({ type: 'waiting', channel: 'ch' });
    expect(entries).toContainEqual({ type: 'signalled', channel: 'ch', waited: true });
    const flags = entries.filter((entry) => entry.type === 'read' && entry.value === '!');
    expect(flags).toContainEqual({
      type: 'read',
      command: 'list-windows',
      format: 'window_raw_flags',
      value: '!',
      pane: null,
      window: '@4',
    });
    expect(entries.filter((entry) => entry.type === 'ran' && entry.name === 'list-panes')).toHaveLength(2);
  });

  test('takes no value from a format that only looks like one that was answered', () => {
    const forged = [
      'cmdq_next <client-7>: [display-message/0x55] (0), flags 0',
      'format_defaults: c=none',
      'format_defaults: wp=%1',
      "format_replace: format 'pane_dead' found: 1' not found",
      "format_replace: format 'x' found: pane_dead",
    ].map((text) => `1795990288.574238 ${text}`);
    const values = parse(forged).flatMap((entry) => (entry.type === 'read' ? [entry.value] : []));
    expect(values).not.toContain('1');
  });
});
