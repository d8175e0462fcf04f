import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { type ProcessView, readStat, readState, type Sandbox } from '../sandbox/index.ts';
import type { PaneId } from '../tmux/index.ts';
import { Terminal } from './terminal.ts';

/** Why a process's terminal is not touched. */
export type Refusal =
  | 'gone'
  | 'server-changed'
  | 'not-a-child-of-the-server'
  | 'not-the-holder'
  | 'other-arguments'
  | 'other-pane'
  | 'no-terminal'
  | 'other-device';

export type OpenedTerminal =
  | { readonly type: 'opened'; readonly terminal: Terminal }
  | { readonly type: 'refused'; readonly refusal: Refusal };

export interface Candidate {
  readonly pid: number;
  readonly pane: PaneId;
  readonly argv: readonly string[];
}

const ptyMajor = 136;

/**
 * Opens the terminals of played panes from outside their sandbox: rule T of THREATS.md. Nothing here resolves a path
 * that the agent or tmux supplied; the folders were opened before the agent's first action, and a terminal is opened by
 * number below one of them. Create before the agent acts.
 */
export class Terminals {
  readonly #sandbox: Sandbox;
  readonly #processes: ProcessView;
  readonly #folder: string;
  readonly #folderDevice: number;
  readonly #holderKey: string;
  readonly #server: number;
  readonly #serverStart: string;

  constructor(sandbox: Sandbox, serverPid: number) {
    this.#sandbox = sandbox;
    this.#processes = sandbox.processes;
    this.#folder = sandbox.terminals;
    this.#folderDevice = statSync(`${sandbox.terminals}/`).dev;
    this.#holderKey = sandbox.holderKey;
    this.#server = serverPid;
    this.#serverStart = readStat(sandbox.processes, serverPid)?.startTime ?? '';
  }

  /** Whether the server that set the world up still runs. */
  isServerAlive(): boolean {
    return readStat(this.#processes, this.#server)?.startTime === this.#serverStart;
  }

  /** Whether it lives and is not stopped. */
  isServerRunning(): boolean {
    const state = readState(this.#processes, this.#server);
    return this.isServerAlive() && state !== null && !'TtZX'.includes(state);
  }

  /** The holders that now run under the server, newest pid last. */
  findHolders(pane: PaneId, argv: readonly string[]): readonly number[] {
    return this.#processes.pids().filter((pid) => this.#refuse({ pid, pane, argv }) === null);
  }

  /** Whether a process is still the program of a role. */
  isPlayed(pid: number, { pane, argv }: Pick<Candidate, 'pane' | 'argv'>): boolean {
    return this.#refuse({ pid, pane, argv }) === null;
  }

  /** Opens the terminal of a process, or says which check refused it. */
  open(candidate: Candidate): OpenedTerminal {
    const refusal = this.#refuse(candidate);
    if (refusal !== null) return { type: 'refused', refusal };
    const stat = readStat(this.#processes, candidate.pid);
    if (stat === null) return { type: 'refused', refusal: 'gone' };
    const minor = minorOf(stat.terminal);
    const flags = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
    let descriptor: number;
    try {
      descriptor = openSync(`${this.#folder}/${minor}`, flags);
    } catch (error) {
      if (error instanceof Error && 'code' in error) return { type: 'refused', refusal: 'gone' };
      throw error;
    }
    const opened = fstatSync(descriptor);
    const same =
      opened.isCharacterDevice() &&
      opened.dev === this.#folderDevice &&
      opened.rdev === stat.terminal &&
      readStat(this.#processes, candidate.pid)?.startTime === stat.startTime;
    if (same) return { type: 'opened', terminal: new Terminal(descriptor, this.#sandbox) };
    closeSync(descriptor);
    return { type: 'refused', refusal: 'other-device' };
  }

  #refuse({ pid, pane, argv }: Candidate): Refusal | null {
    const stat = readStat(this.#processes, pid);
    if (stat === null) return 'gone';
    if (!this.isServerAlive()) return 'server-changed';
    if (stat.parent !== this.#server) return 'not-a-child-of-the-server';
    if (this.#processes.executable(pid) !== this.#holderKey) return 'not-the-holder';
    if (this.#processes.read(pid, 'cmdline') !== argv.map((argument) => `${argument}\0`).join('')) {
      return 'other-arguments';
    }
    const environment = this.#processes.read(pid, 'environ')?.split('\0') ?? [];
    if (!environment.includes(`TMUX_PANE=${pane}`)) return 'other-pane';
    if (majorOf(stat.terminal) !== ptyMajor) return 'no-terminal';
    return null;
  }
}

/** The kernel's encoding of device numbers: minor bits 0-7 and 20-31, major bits 8-19. */
function majorOf(device: number): number {
  return (device >> 8) & 0xfff;
}

function minorOf(device: number): number {
  return (device & 0xff) | ((device >>> 12) & 0xfff00);
}
