import type { PaneId, WindowId } from './id.ts';

/** What a thing in the record is about, as far as the record says. */
export interface Subject {
  readonly pane: PaneId | null;
  readonly window: WindowId | null;
}

/** What the server's own record says; `us` is microseconds since 1970 on the machine's clock. */
export type LogEntry = { readonly us: number } & (
  | /** A program was started in an existing pane: `respawn-pane`, or the first pane of `respawn-window`. */ {
      readonly type: 'respawn';
      readonly pane: PaneId;
      readonly argv: readonly string[];
    }
  /** The server read and parsed what was written on a pane's terminal. */
  | { readonly type: 'consumed'; readonly pane: PaneId; readonly bytes: number }
  /** The server learnt that a pane's program has ended. */
  | { readonly type: 'exited'; readonly pane: PaneId }
  /** A command begins, with its canonical name and as tmux writes it; `client` is null for one of a hook or a key. */
  | { readonly type: 'command'; readonly client: string | null; readonly name: string; readonly text: string }
  /** A command ended well; what it was about. Not every command says so. */
  | ({ readonly type: 'ran'; readonly name: string } & Subject)
  /** A command was answered with the value of a format that tells of events. */
  | ({ readonly type: 'read'; readonly command: string; readonly format: string; readonly value: string } & Subject)
  /** An option or a hook was set, by its full name. */
  | { readonly type: 'option'; readonly name: string }
  /** A hook that somebody set ran. */
  | ({ readonly type: 'hook'; readonly name: string } & Subject)
  /** A `wait-for` begins to wait, */
  | { readonly type: 'waiting'; readonly channel: string }
  /** a channel was signalled, with somebody waiting or not, */
  | { readonly type: 'signalled'; readonly channel: string; readonly waited: boolean }
  /** or a `wait-for` found that it had been. */
  | { readonly type: 'woken'; readonly channel: string }
  /** The log was switched off, which the gym never does. */
  | { readonly type: 'closed' }
  /** The log outgrew its bound, or its folder was filled; nothing is read from it any more. */
  | { readonly type: 'flooded' }
);
