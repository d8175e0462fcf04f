import { type PaneId, parsePaneId, parseWindowId, type WindowId } from './id.ts';
import type { LogEntry, Subject } from './log-entry.ts';

/** Where a window is: `$0`, its index there, and its id. */
export interface WindowPlace {
  readonly session: string;
  readonly index: number;
  readonly window: WindowId;
}

type Body = LogEntry extends infer Entry ? (Entry extends LogEntry ? Omit<Entry, 'us'> : never) : never;

/** Formats whose value tells that something happened. */
const tellingFormats = new Set([
  'pane_dead',
  'pane_dead_status',
  'pane_dead_signal',
  'pane_dead_time',
  'session_alerts',
  'window_activity',
  'window_activity_flag',
  'window_bell_flag',
  'window_flags',
  'window_raw_flags',
  'window_silence_flag',
]);
/** `1795999927.648888 ` */
const headLength = 18;

/**
 * Reads the debug log of tmux 3.3a and later, line by line. The server escapes newlines in every line, so its head is
 * always the server's own; values are taken only where the whole line has the expected form.
 */
export class LogParser {
  readonly #spawn = new SpawnReader();
  readonly #places: Map<string, WindowId>;
  readonly #hooks: { readonly name: string; readonly subject: Subject }[] = [];
  #command: string | null = null;
  /** What the running command found as its target. */
  #target: Subject = nothing;
  /** What formats are being expanded for. */
  #session = '';
  #format: Subject = nothing;
  #running: Subject = nothing;
  #adding = noHook();

  /** Begins with the windows that there are when the log is switched on. */
  constructor(places: readonly WindowPlace[] = []) {
    this.#places = new Map(places.map(({ session, index, window }) => [`${session}:${index}`, window]));
  }

  push(line: string): LogEntry | null {
    if (line.length < headLength || line.charAt(headLength - 1) !== ' ') return null;
    const body = this.#read(line.slice(headLength));
    if (body === null) return null;
    const us = Number(line.slice(0, 10)) * 1_000_000 + Number(line.slice(11, 17));
    return { ...body, us } as LogEntry;
  }

  #read(text: string): Body | null {
    switch (text.charAt(0)) {
      case '%':
        return readExit(text);
      case 'a':
      case 's':
      case 'w':
        return text.startsWith('spawn_pane: ') ? this.#spawn.push(text.slice(12)) : readWait(text);
      case 'c':
        return this.#readQueue(text);
      case 'f':
        return this.#readFormat(text);
      case 'i':
        return readConsumed(text);
      case 'l':
        return text === 'log closed' ? { type: 'closed' } : null;
      case 'm':
        return readCommand(text);
      case 'n':
        return this.#readNotify(text);
      case 'o':
        return readOption(text);
      case 'r':
        return this.#readEnd(text);
      default:
        return null;
    }
  }

  /** `cmdq_next <client-7>: [list-panes/0x…] (0), flags 0`, then `cmd_find_target: …` for what it is about. */
  #readQueue(text: string): null {
    if (text.startsWith('cmd_find_target: ')) this.#readTarget(text.slice(17));
    else if (text.startsWith('cmdq_next <')) {
      const name = /^cmdq_next <[^>]*>: \[([a-z-]+)\/0x[0-9a-f]+\] \(\d+\), flags/.exec(text)?.[1];
      if (name !== undefined || / (?:empty|exit|waiting)/.test(text)) this.#begin(name ?? null);
      else if (text.includes(': [')) this.#begin(null);
    }
    return null;
  }

  #begin(name: string | null): void {
    this.#command = name;
    this.#target = nothing;
    this.#format = nothing;
  }

  #readTarget(text: string): void {
    if (text.startsWith('s=$')) this.#session = text.slice(2).split(' ')[0] ?? '';
    else if (text.startsWith('wl=')) {
      const [, index, window] = /^wl=(\d+) \d+ w=(@\d+) /.exec(text) ?? [];
      if (window === undefined) return;
      this.#target = { ...this.#target, window: parseWindowId(window) };
      this.#places.set(`${this.#session}:${index}`, parseWindowId(window));
    } else if (/^wp=%\d+$/.test(text)) this.#target = { ...this.#target, pane: parsePaneId(text.slice(3)) };
  }

  /** `format_defaults: s=$0`, `wl=1`, `wp=%1`, then `format_replace: format 'pane_dead' found: 1`. */
  #readFormat(text: string): Body | null {
    if (this.#command === null) return null;
    if (text.startsWith('format_defaults: ')) {
      this.#readDefaults(text.slice(17));
      return null;
    }
    if (!text.startsWith('format_replace: ')) return null;
    const [, format = '', value = ''] =
      /^format_replace: (?:format|condition) '([a-z_]+)' found: (.*)$/.exec(text) ?? [];
    if (!tellingFormats.has(format)) return null;
    return { type: 'read', command: this.#command, format, value, ...this.#format };
  }

  #readDefaults(text: string): void {
    if (text.startsWith('c=')) this.#format = nothing;
    else if (text.startsWith('s=')) this.#session = text.slice(2);
    else if (text.startsWith('wl=')) {
      const window = this.#places.get(`${this.#session}:${text.slice(3)}`) ?? null;
      this.#format = { pane: null, window };
    } else if (/^wp=%\d+$/.test(text)) this.#format = { ...this.#format, pane: parsePaneId(text.slice(3)) };
  }

  /** `notify_add: hook=pane-died` and `notify_add: hook_pane=%3`; later, if it was set, `…inserting hook…`. */
  #readNotify(text: string): Body | null {
    if (text.startsWith('notify_add: hook')) this.#readHook(text.slice(12));
    else if (text.startsWith('notify_callback: ')) this.#takeHook(text.slice(17));
    else if (text.startsWith('notify_insert_one_hook: hook ')) {
      const [, name] = /^notify_insert_one_hook: hook ([a-z-]+) is: ./.exec(text) ?? [];
      if (name !== undefined) return { type: 'hook', name, ...this.#running };
    } else if (text.startsWith('notify_add: ')) this.#flushHook();
    return null;
  }

  #readHook(text: string): void {
    const equals = text.indexOf('=');
    const [key, value] = [text.slice(0, equals), text.slice(equals + 1)];
    if (key === 'hook') this.#adding.name = value;
    else if (key === 'hook_pane' && /^%\d+$/.test(value)) this.#adding.pane = parsePaneId(value);
    else if (key === 'hook_window' && /^@\d+$/.test(value)) this.#adding.window = parseWindowId(value);
  }

  #flushHook(): void {
    const { name, pane, window } = this.#adding;
    if (name !== null) this.#hooks.push({ name, subject: { pane, window } });
    this.#adding = noHook();
  }

  #takeHook(name: string): void {
    this.#flushHook();
    const index = this.#hooks.findIndex((hook) => hook.name === name);
    this.#running = index < 0 ? nothing : (this.#hooks.splice(index, 1)[0]?.subject ?? nothing);
  }

  /** `running hook after-capture-pane (parent …)` stands at the end of each command that went well. */
  #readEnd(text: string): Body | null {
    const name = /^running hook after-([a-z-]+) \(parent /.exec(text)?.[1];
    return name === undefined || name !== this.#command ? null : { type: 'ran', name, ...this.#target };
  }
}

const nothing: Subject = { pane: null, window: null };

interface AddingHook {
  name: string | null;
  pane: PaneId | null;
  window: WindowId | null;
}

const noHook = (): AddingHook => ({ name: null, pane: null, window: null });

/** A start of a program: `[…`, `s=… wp0=%1` (`wp0=none` for a new pane), `argv[n]=` each, then its environment. */
class SpawnReader {
  #pane: PaneId | null = null;
  #argv: string[] = [];

  push(text: string): Body | null {
    const pane = /^s=\$\d+ wl=\d+ wp0=(%\d+|none) /.exec(text)?.[1];
    if (pane !== undefined) {
      this.#pane = pane === 'none' ? null : parsePaneId(pane);
      this.#argv = [];
      return null;
    }
    const argument = /^argv\[\d+\]=(.*)$/.exec(text)?.[1];
    if (argument !== undefined) this.#argv.push(argument);
    if (!text.startsWith('environment ') || this.#pane === null) return null;
    const entry = { type: 'respawn', pane: this.#pane, argv: this.#argv } as const;
    this.#pane = null;
    return entry;
  }
}

function readExit(text: string): Body | null {
  const pane = /^(%\d+) exited$/.exec(text)?.[1];
  return pane === undefined ? null : { type: 'exited', pane: parsePaneId(pane) };
}

function readConsumed(text: string): Body | null {
  if (!text.startsWith('input_parse_buffer: %')) return null;
  const [, pane, bytes] = /^input_parse_buffer: (%\d+) \S+, (\d+) bytes: /.exec(text) ?? [];
  return pane === undefined ? null : { type: 'consumed', pane: parsePaneId(pane), bytes: Number(bytes) };
}

/**
 * `message: client-7 command: list-panes -t w1`; without a client for commands of hooks. `message: /dev/pts/3 key F5:
 * list-panes` is one of a key that was typed at an attached client: no command that a client sent.
 */
function readCommand(text: string): Body | null {
  if (!text.startsWith('message: ')) return null;
  const [, client, key, whole = '', name] =
    /^message: (?:(\S+) )?(?:command|(key) \S+): (([a-z-]+).*)$/.exec(text) ?? [];
  if (name === undefined) return null;
  return { type: 'command', client: key === undefined ? (client ?? null) : null, name, text: whole };
}

function readOption(text: string): Body | null {
  const name = /^options_push_changes: (\S+)$/.exec(text)?.[1];
  return name === undefined ? null : { type: 'option', name };
}

function readWait(text: string): Body | null {
  const waiting = /^wait channel (.+) not woken \(0x[0-9a-f]+\)$/.exec(text)?.[1];
  if (waiting !== undefined) return { type: 'waiting', channel: waiting };
  const woken = /^wait channel (.+) already woken \(0x[0-9a-f]+\)$/.exec(text)?.[1];
  if (woken !== undefined) return { type: 'woken', channel: woken };
  const [, channel, waiters] = /^signal wait channel (.+), (with|no) waiters/.exec(text) ?? [];
  return channel === undefined ? null : { type: 'signalled', channel, waited: waiters === 'with' };
}
