import type { Hear } from '../task/index.ts';
import type { Role } from './role.ts';
import type { Terminal, Written } from './terminal.ts';

const longestLine = 4_096;

interface Answer {
  readonly hear: Hear;
  /** The event that it belongs to, or null. */
  readonly event: string | null;
  left: number;
}

/** One life of a played program: its terminal, what it still says, what it listens for. */
export class Program {
  readonly role: Role;
  readonly pid: number;
  readonly #terminal: Terminal;
  #answers: Answer[];
  #partial = '';
  #blocked = false;
  #gone = false;
  #ended = false;

  constructor(role: Role, pid: number, terminal: Terminal) {
    this.role = role;
    this.pid = pid;
    this.#terminal = terminal;
    this.#answers = role.hears.map((hear) => makeAnswer(hear, null));
  }

  /** Its terminal has not taken everything yet (C-s, a stopped server). */
  get isBlocked(): boolean {
    return this.#blocked;
  }

  /** Its process or its terminal is no more. */
  get isGone(): boolean {
    return this.#gone;
  }

  /** It came to the end that it was to have. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  write(text: string): Written {
    return this.#note(this.#terminal.write(text));
  }

  flush(): Written {
    return this.#note(this.#terminal.flush());
  }

  /** From now on it answers these first. */
  listenFor(hears: readonly Hear[], event: string): void {
    this.#answers = [...hears.map((hear) => makeAnswer(hear, event)), ...this.#answers];
  }

  /** Whole lines that were typed since the last call, with spaces around them dropped. */
  readLines(): readonly string[] {
    if (this.#gone) return [];
    const lines = (this.#partial + this.#terminal.read()).split(/[\r\n]/);
    this.#partial = (lines.pop() ?? '').slice(-longestLine);
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  }

  /** Takes the answer to a line, or null where nothing answers it. */
  answer(line: string): { readonly hear: Hear; readonly event: string | null } | null {
    const found = this.#answers.find(({ hear, left }) => left > 0 && (hear.line === null || hear.line === line));
    if (found === undefined) return null;
    found.left--;
    return found;
  }

  /** It exits by itself. */
  end(): void {
    this.#ended = true;
    this.close();
  }

  /** Idempotent. */
  close(): void {
    this.#gone = true;
    this.#terminal.close();
  }

  #note(written: Written): Written {
    this.#blocked = written.type === 'blocked';
    if (written.type === 'failed') this.close();
    return written;
  }
}

function makeAnswer(hear: Hear, event: string | null): Answer {
  const line = hear.line?.trim() ?? null;
  return { hear: { ...hear, line }, event, left: hear.times ?? Number.POSITIVE_INFINITY };
}
