import type { DebugLog, LogEntry, PaneId } from '../tmux/index.ts';
import type { Terminal, Written } from './terminal.ts';
import type { Terminals } from './terminals.ts';

/** A pane whose program the gym plays. */
export interface Role {
  readonly pane: PaneId;
  /** The start command; a program started with another is not played. */
  readonly argv: readonly string[];
  /** What each later start prints; lines, without secrets left to fill. */
  readonly restart: readonly string[];
}

/** A started program that has something to print. */
interface Part {
  readonly role: Role;
  readonly pid: number;
  /** Virtual time at which it prints. */
  readonly dueMs: number;
  terminal: Terminal | null;
}

export interface Played {
  readonly pane: PaneId;
  readonly bytes: number;
}

/** A restarted program prints this long after it is first seen settled, in virtual milliseconds. */
const printDelayMs = 500;

/**
 * Plays the programs of panes from outside: finds restarts in the server's record, and prints when they are due.
 * Call discover() and play() only while the world is settled.
 */
export class Player {
  readonly #terminals: Terminals;
  readonly #log: DebugLog;
  readonly #roles: ReadonlyMap<PaneId, Role>;
  readonly #started = new Set<PaneId>();
  readonly #flags = new Set<string>();
  readonly #known = new Set<number>();
  readonly #unread = new Map<PaneId, number>();
  #parts: Part[] = [];

  constructor(terminals: Terminals, log: DebugLog, roles: readonly Role[]) {
    this.#terminals = terminals;
    this.#log = log;
    this.#roles = new Map(roles.map((role) => [role.pane, role]));
  }

  /** What the record says against the agent, as stable codes. */
  get flags(): readonly string[] {
    return [...this.#flags];
  }

  /** Whether the server has read everything that was printed; one that was stopped or killed never will. */
  get isConsumed(): boolean {
    return this.#unread.size === 0 || this.#flags.size > 0 || !this.#terminals.isServerRunning();
  }

  /** When the next program prints, in virtual milliseconds, or null. */
  get nextDueMs(): number | null {
    return this.#parts.reduce<number | null>(
      (least, { dueMs }) => (least === null ? dueMs : Math.min(least, dueMs)),
      null,
    );
  }

  /** Reads the record and takes on the programs that were restarted. */
  discover(nowMs: number): void {
    for (const entry of this.#log.read()) this.#note(entry);
    if (this.#flags.size > 0) return;
    for (const pane of this.#started) this.#takeOn(pane, nowMs);
  }

  /** Prints what is due. A program that is gone, or whose terminal refuses, stays silent: the agent's doing. */
  play(nowMs: number): readonly Played[] {
    const due = this.#parts.filter((part) => part.dueMs <= nowMs);
    this.#parts = this.#parts.filter((part) => part.dueMs > nowMs);
    return due.flatMap((part) => {
      const bytes = this.#print(part, nowMs);
      return bytes === null ? [] : [{ pane: part.role.pane, bytes }];
    });
  }

  close(): void {
    for (const part of this.#parts) part.terminal?.close();
    this.#parts = [];
  }

  #print(part: Part, nowMs: number): number | null {
    if (part.terminal === null) {
      const opened = this.#terminals.open({ pid: part.pid, pane: part.role.pane, argv: part.role.argv });
      if (opened.type === 'refused') return null;
      part.terminal = opened.terminal;
      const text = part.role.restart.map((line) => `${line}\n`).join('');
      this.#unread.set(part.role.pane, Buffer.byteLength(text));
      return this.#finish(part, part.terminal.write(text), nowMs, Buffer.byteLength(text));
    }
    return this.#finish(part, part.terminal.flush(), nowMs, 0);
  }

  #note(entry: LogEntry): void {
    switch (entry.type) {
      case 'closed':
        this.#flags.add('log-closed');
        return;
      case 'flooded':
        this.#flags.add('log-flooded');
        return;
      case 'consumed':
        this.#consume(entry.pane, entry.bytes);
        return;
      case 'respawn':
        if (isSame(entry.argv, this.#roles.get(entry.pane)?.argv)) this.#started.add(entry.pane);
    }
  }

  /** Takes on the program of a pane that was started again, once it runs. */
  #takeOn(pane: PaneId, nowMs: number): void {
    const role = this.#roles.get(pane);
    const found = role === undefined ? [] : this.#terminals.findHolders(pane, role.argv);
    const fresh = found.filter((pid) => !this.#known.has(pid));
    if (role === undefined || fresh.length === 0) return;
    this.#started.delete(pane);
    for (const pid of fresh) this.#known.add(pid);
    // A second one that claims to be this pane's program is the agent's making; which is which cannot be told.
    const [pid, ...others] = fresh;
    if (pid === undefined || others.length > 0) return;
    this.#parts.push({ role, pid, dueMs: nowMs + printDelayMs, terminal: null });
  }

  #consume(pane: PaneId, bytes: number): void {
    const left = (this.#unread.get(pane) ?? 0) - bytes;
    if (left > 0) this.#unread.set(pane, left);
    else this.#unread.delete(pane);
  }

  #finish(part: Part, written: Written, nowMs: number, bytes: number): number {
    if (written.type !== 'written') this.#unread.delete(part.role.pane);
    if (written.type === 'blocked') this.#parts.push({ ...part, dueMs: nowMs + printDelayMs });
    else part.terminal?.close();
    return bytes;
  }
}

function isSame(left: readonly string[], right: readonly string[] | undefined): boolean {
  return right !== undefined && left.length === right.length && left.every((text, index) => text === right[index]);
}
