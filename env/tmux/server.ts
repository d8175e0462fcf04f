import { BoundaryError } from '../errors.ts';
import type { Exit, Sandbox } from '../sandbox/index.ts';
import { type PaneId, parsePaneId, parseWindowId, type WindowId } from './id.ts';
import { quoteArgument } from './quote.ts';

/** tmux's own words, one command a list of arguments. */
export type TmuxCommand = readonly string[];

export interface PaneState {
  /** `$0`, and the window's index in that session. */
  readonly session: string;
  readonly index: number;
  readonly window: WindowId;
  readonly pane: PaneId;
  /** The start command, as tmux shows it. */
  readonly start: string;
  /** Pid inside the sandbox of the program that the pane was started with. */
  readonly pid: number;
  /** Whether its program has ended, and with which status; null where it lives, or ended by a signal. */
  readonly dead: boolean;
  readonly deadStatus: number | null;
}

/** Everything that tmux would otherwise take from a date or a user's file is fixed here. */
const fixedOptions: readonly TmuxCommand[] = [
  ['set-option', '-g', 'automatic-rename', 'off'],
  ['set-option', '-g', 'default-size', '200x50'],
  ['set-option', '-g', 'remain-on-exit-format', 'Pane is dead (status #{pane_dead_status})'],
];

/**
 * The tmux server of one sandbox, spoken to by unattached one-shot clients inside it. To be used before the agent's
 * first action only: a later query would run the agent's hooks.
 */
export class TmuxServer {
  readonly pid: number;
  readonly #sandbox: Sandbox;

  private constructor(sandbox: Sandbox, pid: number) {
    this.#sandbox = sandbox;
    this.pid = pid;
  }

  /** Starts the server with session `main`, whose one window `shell` (200x50) runs bash. */
  static async start(sandbox: Sandbox): Promise<TmuxServer> {
    const session = [
      'new-session',
      '-d',
      '-s',
      'main',
      '-n',
      'shell',
      '-x',
      '200',
      '-y',
      '50',
      '-c',
      sandbox.homeInside,
    ];
    const commands = [
      [...session, 'bash', '--norc', '--noprofile'],
      ...fixedOptions,
      ['display-message', '-p', '#{pid}'],
    ];
    const words = commands.flatMap((command, index) => (index === 0 ? command : [';', ...command]));
    // The server opens its log in the folder that it was started in.
    const script = 'cd "$0" && exec tmux -f /dev/null "$@"';
    const exit = await sandbox.launcher.run({ argv: ['sh', '-c', script, sandbox.serverFolderInside, ...words] })
      .exited;
    const text = outputOf(exit, 'start');
    const pid = Number(text.trim());
    if (!(Number.isInteger(pid) && pid > 1)) throw failure('start', text);
    sandbox.launcher.holdSocket();
    return new TmuxServer(sandbox, pid);
  }

  /** Runs commands in one client call, in order. The text never stands in a command line. Returns what they print. */
  async run(commands: readonly TmuxCommand[]): Promise<string> {
    const input = commands.map((command) => `${command.map(quoteArgument).join(' ')}\n`).join('');
    const run = this.#sandbox.launcher.run({ argv: ['tmux', '-N', 'source-file', '-'], input, outputLimit: 8 << 20 });
    return outputOf(await run.exited, 'source-file');
  }

  /** All panes of all sessions. */
  async listPanes(): Promise<readonly PaneState[]> {
    return parsePanes(await this.run([listPanesCommand]));
  }
}

/** A command whose lines parsePanes() reads. */
export const listPanesCommand: TmuxCommand = [
  'list-panes',
  '-a',
  '-F',
  '#{session_id} #{window_index} #{window_id} #{pane_id} #{pane_pid} [#{pane_dead}] [#{pane_dead_status}] #{pane_start_command}',
];

const paneLine = /^(\$\d+) (\d+) (@\d+) (%\d+) (\d+) \[([01]?)\] \[(\d*)\] ?(.*)$/;

/** Throws a BoundaryError for a line of another form. */
export function parsePanes(text: string): readonly PaneState[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, session, index, window, pane, pid, dead, status, start] = paneLine.exec(line) ?? [];
      if (session === undefined || window === undefined || pane === undefined) throw failure('list-panes', line);
      return {
        session,
        index: Number(index),
        window: parseWindowId(window),
        pane: parsePaneId(pane),
        start: start ?? '',
        pid: Number(pid),
        dead: dead === '1',
        deadStatus: status === '' ? null : Number(status),
      };
    });
}

function outputOf(exit: Exit, command: string): string {
  const text = exit.output.toString('utf8');
  if (exit.code === 0) return text;
  throw failure(command, `exit ${exit.code}: ${text.trim().slice(0, 200)}`);
}

function failure(command: string, found: string): BoundaryError {
  return new BoundaryError('tmux', { code: 'E_TMUX', what: `Cannot use the tmux server for "${command}"`, found });
}
