import { LauncherGone, type Sandbox } from '../sandbox/index.ts';
import type { PaneId } from '../tmux/index.ts';

const sigchld = 17;
/** A program that has ended, and of which tmux says nothing after so many reminders, ended with its pane. */
const mostReminders = 40;

/** What was done in the world and the server has not taken in yet: bytes on terminals, ended programs, signals. */
export class Backlog {
  readonly #sandbox: Sandbox;
  readonly #serverPid: number;
  readonly #unread = new Map<PaneId, number>();
  readonly #ending = new Map<PaneId, { readonly pid: number; reminders: number }>();
  #signalling = 0;

  constructor(sandbox: Sandbox, serverPid: number) {
    this.#sandbox = sandbox;
    this.#serverPid = serverPid;
  }

  get isEmpty(): boolean {
    return this.#unread.size + this.#ending.size + this.#signalling === 0;
  }

  /** Whether a program's end is open anywhere. */
  get hasEnding(): boolean {
    return this.#ending.size > 0;
  }

  hasEndingIn(pane: PaneId): boolean {
    return this.#ending.has(pane);
  }

  hasUnread(pane: PaneId): boolean {
    return this.#unread.has(pane);
  }

  addPrinted(pane: PaneId, bytes: number): void {
    this.#unread.set(pane, (this.#unread.get(pane) ?? 0) + bytes);
  }

  /** The server has read so much of a pane's output. */
  consume(pane: PaneId, bytes: number): void {
    const left = (this.#unread.get(pane) ?? 0) - bytes;
    if (left > 0) this.#unread.set(pane, left);
    else this.#unread.delete(pane);
  }

  /** What was printed on a pane is not to come: its terminal refused. */
  dropPrinted(pane: PaneId): void {
    this.#unread.delete(pane);
  }

  addEnding(pane: PaneId, pid: number): void {
    this.#ending.set(pane, { pid, reminders: 0 });
  }

  /** The server has noticed the end of a pane's program. */
  noticeEnd(pane: PaneId): void {
    this.#ending.delete(pane);
  }

  /** A signal is open until its client has ended. */
  addSignal(exited: Promise<unknown>): void {
    this.#signalling++;
    exited.then(
      () => this.#signalling--,
      (error: unknown) => {
        // Whoever ended the launcher is judged by the episode.
        if (!(error instanceof LauncherGone)) throw error;
      },
    );
  }

  /**
   * tmux can miss the end of a pane's program when it reads the end of its output first; another SIGCHLD makes it look
   * again.
   */
  remind(): void {
    const { processes, launcher } = this.#sandbox;
    for (const [pane, ending] of this.#ending) {
      if (processes.executable(ending.pid) !== null) continue;
      if (++ending.reminders > mostReminders) this.#ending.delete(pane);
    }
    if (this.#ending.size > 0) launcher.signal(this.#serverPid, sigchld);
  }
}
