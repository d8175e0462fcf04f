import type { Stage } from '../clock/index.ts';
import type { Evidence } from '../evidence/index.ts';
import type { Note } from '../terminal/index.ts';
import type { LogEntry } from '../tmux/index.ts';
import type { Play } from '../world/index.ts';

export interface StageOptions {
  readonly play: Play;
  readonly evidence: Evidence;
  readonly onNote: (note: Note, nowMs: number) => void;
  /**
   * Told once after something was typed or restarted, in the middle of an action too: a script's reaction is in time when
   * it was made, not when the script ends.
   */
  readonly onHeard: (nowMs: number) => void;
}

const moving: ReadonlySet<LogEntry['type']> = new Set(['command', 'consumed', 'exited', 'respawn']);

/**
 * Joins what the gym plays with what the record says, in one order. Once the record shows tampering, nothing more is
 * played and nothing more is heard.
 */
export class EpisodeStage implements Stage {
  readonly #options: StageOptions;

  constructor(options: StageOptions) {
    this.#options = options;
  }

  get nextDueMs(): number | null {
    return this.#isClean ? this.#options.play.player.nextDueMs : null;
  }

  get isConsumed(): boolean {
    return !this.#isClean || this.#options.play.player.isConsumed;
  }

  discover(nowMs: number): void {
    this.readRecord(nowMs);
    if (this.#isClean) this.#tell(this.#options.play.player.takeOn(nowMs), nowMs);
  }

  play(nowMs: number): number {
    if (!this.#isClean) return 0;
    const notes = this.#options.play.player.play(nowMs);
    this.#tell(notes, nowMs);
    return notes.length;
  }

  /** Only what the server's record says; nothing is heard or taken on. */
  readRecord(nowMs: number): void {
    const { play, evidence } = this.#options;
    for (const entry of play.log.read()) {
      play.player.note(entry);
      evidence.note(entry, nowMs);
    }
  }

  /**
   * Reads the record while the world is asked: what happens then is not the agent's play, but it may be tampering.
   * Returns how often the server did something: ran a command, read a terminal, started or lost a program.
   */
  watch(): number {
    let moves = 0;
    for (const entry of this.#options.play.log.read()) {
      this.#options.evidence.tamper.note(entry);
      if (moving.has(entry.type)) moves++;
    }
    return moves;
  }

  get #isClean(): boolean {
    return this.#options.evidence.tamper.isClean;
  }

  #tell(notes: readonly Note[], nowMs: number): void {
    for (const note of notes) {
      this.#options.evidence.played(note, nowMs);
      this.#options.onNote(note, nowMs);
    }
    if (notes.some(({ type }) => type === 'heard' || type === 'started')) this.#options.onHeard(nowMs);
  }
}
