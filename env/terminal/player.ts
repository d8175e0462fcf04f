import { BoundaryError } from '../errors.ts';
import { heldSocket, type Sandbox } from '../sandbox/index.ts';
import type { Act } from '../task/index.ts';
import type { LogEntry, PaneId } from '../tmux/index.ts';
import { Agenda } from './agenda.ts';
import { Backlog } from './backlog.ts';
import { Program } from './program.ts';
import type { Cue, Note, Role } from './role.ts';
import type { Terminals } from './terminals.ts';

type Item =
  | { readonly type: 'cue'; readonly cue: Cue }
  | { readonly type: 'flush'; readonly program: Program }
  | {
      readonly type: 'act';
      readonly program: Program;
      readonly act: Act;
      readonly event: string | null;
      /** Ends when its event begins. */
      readonly background: boolean;
      /** How often a beat has been printed. */
      readonly beats: number;
    };
type ActItem = Extract<Item, { type: 'act' }>;

export interface PlayerOptions {
  readonly sandbox: Sandbox;
  readonly serverPid: number;
  readonly terminals: Terminals;
  readonly roles: readonly Role[];
  readonly cues: readonly Cue[];
}

/** A restarted program prints this long after it is first seen settled, in virtual milliseconds. */
const printDelayMs = 500;
const lowSignal = 34;
const highSignal = 50;

/**
 * Plays the programs of panes from outside: prints, rings, ends, signals, listens. Follows restarts in the server's
 * record. Call takeOn() and play() only while the world is settled.
 */
export class Player {
  readonly #options: PlayerOptions;
  readonly #roles: ReadonlyMap<PaneId, Role>;
  readonly #cues: ReadonlyMap<string, Cue>;
  readonly #agenda = new Agenda<Item>();
  readonly #programs = new Map<string, Program>();
  readonly #fired = new Set<string>();
  readonly #restarted = new Set<PaneId>();
  readonly #known = new Set<number>();
  readonly #starts = new Map<string, number>();
  readonly #heard = new Map<string, number>();
  readonly #backlog: Backlog;

  /** Opens the terminals of the programs that live. To be made before the agent's first action. */
  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#backlog = new Backlog(options.sandbox, options.serverPid);
    this.#roles = new Map(options.roles.map((role) => [role.pane, role]));
    this.#cues = new Map(options.cues.map((cue) => [cue.event, cue]));
    for (const role of options.roles) {
      if (role.pid === null) continue;
      // Nothing of the agent's has run yet: one that cannot be played now is the gym's own failure.
      if (this.#begin(role, role.pid, [{ acts: role.acts, event: null }], 0) === null) throw unplayable(role);
    }
    for (const cue of options.cues) {
      const program = this.#programs.get(cue.worker);
      if (program !== undefined) this.#schedule(program, cue.background, 0, { event: cue.event, background: true });
      if (cue.atMs !== null) this.#agenda.put(cue.atMs, { type: 'cue', cue });
    }
  }

  /** When the next thing is to be done, in virtual milliseconds, or null. */
  get nextDueMs(): number | null {
    return this.#agenda.nextDueMs;
  }

  /** Whether the server knows of everything that was done; one that was stopped or killed never will. */
  get isConsumed(): boolean {
    return this.#backlog.isEmpty || !this.#options.terminals.isServerRunning();
  }

  /** How often a line was typed into a worker's pane. */
  heard(worker: string, line: string): number {
    return this.#heard.get(`${worker}\n${line.trim()}`) ?? 0;
  }

  /** How often a worker's program was started again. */
  started(worker: string): number {
    return this.#starts.get(worker) ?? 0;
  }

  /** Takes note of one thing in the server's record. */
  note(entry: LogEntry): void {
    if (entry.type === 'consumed') this.#backlog.consume(entry.pane, entry.bytes);
    else if (entry.type === 'exited') this.#backlog.noticeEnd(entry.pane);
    else if (entry.type === 'respawn' && isSame(entry.argv, this.#roles.get(entry.pane)?.argv)) {
      this.#restarted.add(entry.pane);
    }
  }

  /** Takes on what was restarted, and hears what was typed. */
  takeOn(nowMs: number): readonly Note[] {
    this.#backlog.remind();
    const started = [...this.#restarted].flatMap((pane) => this.#restart(pane, nowMs) ?? []);
    return [...started, ...[...this.#programs.values()].flatMap((program) => this.#listen(program, nowMs))];
  }

  /** Does what is due. A program that is gone, or whose terminal refuses, stays silent: the agent's doing. */
  play(nowMs: number): readonly Note[] {
    return this.#agenda.takeDue(nowMs).flatMap((item) => this.#do(item, nowMs));
  }

  close(): void {
    for (const program of this.#programs.values()) program.close();
    this.#programs.clear();
  }

  #do(item: Item, nowMs: number): readonly Note[] {
    switch (item.type) {
      case 'cue':
        return this.#fire(item.cue, nowMs);
      case 'flush':
        this.#afterWrite(item.program, item.program.flush().type, nowMs);
        return [];
      case 'act':
        return this.#perform(item, nowMs);
    }
  }

  #begin(
    role: Role,
    pid: number,
    parts: readonly { readonly acts: readonly Act[]; readonly event: string | null }[],
    nowMs: number,
  ): Program | null {
    this.#programs.get(role.worker)?.close();
    this.#programs.delete(role.worker);
    this.#known.add(pid);
    const opened = this.#options.terminals.open({ pid, pane: role.pane, argv: role.argv });
    if (opened.type === 'refused') return null;
    const program = new Program(role, pid, opened.terminal);
    this.#programs.set(role.worker, program);
    for (const { acts, event } of parts) this.#schedule(program, acts, nowMs, { event, background: false });
    return program;
  }

  #schedule(
    program: Program,
    acts: readonly Act[],
    nowMs: number,
    { event, background }: { readonly event: string | null; readonly background: boolean },
  ): void {
    for (const act of acts) {
      this.#agenda.put(nowMs + act.afterMs, { type: 'act', program, act, event, background, beats: 0 });
    }
  }

  /** Takes on the program of a pane that was started again, once it runs. */
  #restart(pane: PaneId, nowMs: number): Note | null {
    const role = this.#roles.get(pane);
    const found = role === undefined ? [] : this.#options.terminals.findHolders(pane, role.argv);
    const fresh = found.filter((pid) => !this.#known.has(pid));
    if (role === undefined || fresh.length === 0) return null;
    this.#restarted.delete(pane);
    for (const pid of fresh) this.#known.add(pid);
    const starts = this.started(role.worker) + 1;
    this.#starts.set(role.worker, starts);
    // A second one that claims to be this pane's program is the agent's making; which is which cannot be told.
    const [pid, ...others] = fresh;
    if (pid === undefined || others.length > 0) return null;
    const lines: Act = { type: 'print', afterMs: printDelayMs, lines: role.restart };
    const acts = role.starts[Math.min(starts, role.starts.length) - 1] ?? [];
    this.#begin(role, pid, [{ acts: role.restart.length > 0 ? [lines, ...acts] : acts, event: null }], nowMs);
    return { type: 'started', worker: role.worker, pane };
  }

  #listen(program: Program, nowMs: number): readonly Note[] {
    const { worker, pane } = program.role;
    return program.readLines().map((line) => {
      const key = `${worker}\n${line}`;
      this.#heard.set(key, (this.#heard.get(key) ?? 0) + 1);
      const answer = program.answer(line);
      const event = answer?.event ?? null;
      if (answer !== null) this.#schedule(program, answer.hear.acts, nowMs, { event, background: false });
      return { type: 'heard', worker, pane, line, event };
    });
  }

  #fire(cue: Cue, nowMs: number): readonly Note[] {
    if (this.#fired.has(cue.event)) return [];
    this.#fired.add(cue.event);
    const program = this.#programs.get(cue.worker);
    const { terminals } = this.#options;
    if (program === undefined || program.isGone || !terminals.isPlayed(program.pid, program.role)) {
      return [{ type: 'void', event: cue.event }];
    }
    program.listenFor(cue.hears, cue.event);
    this.#schedule(program, cue.acts, nowMs, { event: cue.event, background: false });
    return [{ type: 'fired', event: cue.event }];
  }

  #perform(item: ActItem, nowMs: number): readonly Note[] {
    const { program, act, event } = item;
    const outlives = program.hasEnded && (act.type === 'signal' || act.type === 'fire');
    if (program.isGone && !outlives) return [];
    if (item.background && event !== null && this.#fired.has(event)) return [];
    const delayMs = this.#delayOf(program, act);
    if (delayMs !== null) {
      this.#agenda.put(nowMs + delayMs, item);
      return [];
    }
    switch (act.type) {
      case 'print':
        return this.#print(program, joinLines(act.lines), event, nowMs);
      case 'bell':
        return this.#print(program, '\x07', event, nowMs);
      case 'beat':
        return this.#beat(item, act, nowMs);
      case 'exit':
        return this.#exit(item, act.status);
      case 'signal':
        return this.#signal(act.channel, event);
      case 'fire': {
        const cue = this.#cues.get(act.event);
        return cue === undefined ? [] : this.#fire(cue, nowMs);
      }
    }
  }

  /**
   * A terminal that takes no more is tried again later. An end waits until the server has read the last words, and a
   * signal until it knows of the end; both are due at once again, when the world has settled.
   */
  #delayOf({ isBlocked, role }: Program, act: Act): number | null {
    if (isBlocked) return printDelayMs;
    if (act.type !== 'exit' && act.type !== 'signal') return null;
    // One end at a time: tmux would learn of several in any order.
    const ending = act.type === 'exit' ? this.#backlog.hasEnding : this.#backlog.hasEndingIn(role.pane);
    const waits = ending || this.#backlog.hasUnread(role.pane);
    return waits && this.#options.terminals.isServerRunning() ? 0 : null;
  }

  #print(program: Program, text: string, event: string | null, nowMs: number): readonly Note[] {
    const { pane } = program.role;
    const bytes = Buffer.byteLength(text);
    if (bytes === 0) return [];
    this.#backlog.addPrinted(pane, bytes);
    this.#afterWrite(program, program.write(text).type, nowMs);
    return [{ type: 'printed', pane, bytes, event }];
  }

  #afterWrite(program: Program, result: 'written' | 'blocked' | 'failed', nowMs: number): void {
    if (result === 'written') return;
    this.#backlog.dropPrinted(program.role.pane);
    if (result === 'blocked') this.#agenda.put(nowMs + printDelayMs, { type: 'flush', program });
  }

  #beat(item: ActItem, act: Extract<Act, { type: 'beat' }>, nowMs: number): readonly Note[] {
    const beats = item.beats + 1;
    if (act.times === undefined || beats < act.times) this.#agenda.put(nowMs + act.everyMs, { ...item, beats });
    return this.#print(item.program, joinLines(act.lines).replaceAll('{{count}}', String(beats)), item.event, nowMs);
  }

  #exit({ program, event }: ActItem, status: number): readonly Note[] {
    const { pane } = program.role;
    const { sandbox, terminals } = this.#options;
    if (!terminals.isPlayed(program.pid, program.role)) {
      program.close();
      return [];
    }
    sandbox.launcher.signal(program.pid, lowSignal + (status & 15));
    sandbox.launcher.signal(program.pid, highSignal + (status >> 4));
    this.#backlog.addEnding(pane, program.pid);
    program.end();
    return [{ type: 'ended', pane, event }];
  }

  #signal(channel: string, event: string | null): readonly Note[] {
    const { sandbox, terminals } = this.#options;
    if (!terminals.isServerAlive()) return [];
    const argv = ['tmux', '-N', '-S', heldSocket, 'wait-for', '-S', channel];
    this.#backlog.addSignal(sandbox.launcher.run({ argv }).exited);
    return [{ type: 'signalled', channel, event }];
  }
}

function unplayable({ worker, pane }: Role): BoundaryError {
  const where = `worker "${worker}", pane ${pane}`;
  return new BoundaryError('tmux', { code: 'E_SETUP', what: 'Cannot open the terminal of a worker', where });
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function isSame(left: readonly string[], right: readonly string[] | undefined): boolean {
  return right !== undefined && left.length === right.length && left.every((text, index) => text === right[index]);
}
