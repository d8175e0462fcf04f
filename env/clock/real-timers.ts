import type { Sandbox } from '../sandbox/index.ts';
import { hasPosixTimers, readTimer } from './timers.ts';

/** tmux re-arms one timer of its own every hour (server.c, `server_tidy_event`). */
const tidyMs = 3_600_000;
const tidySlackMs = 10_000;

/** Tells whether anything in a settled world waits for real time to pass. */
export class RealTimers {
  readonly #sandbox: Sandbox;
  readonly #serverPid: number;
  readonly #serverSince: number;

  /** `serverSince`: when the server was started, on the clock of `performance.now()`. */
  constructor(sandbox: Sandbox, serverPid: number, serverSince: number) {
    this.#sandbox = sandbox;
    this.#serverPid = serverPid;
    this.#serverSince = serverSince;
  }

  /** True where some thread other than the server's waits with a timeout, or the server has a timer of the agent's. */
  exist(): boolean {
    const { processes } = this.#sandbox;
    for (const pid of processes.pids()) {
      if (processes.executable(pid) === this.#sandbox.holderKey) continue;
      if (hasPosixTimers(processes, pid)) return true;
      for (const thread of processes.threads(pid)) {
        const timer = readTimer(processes, pid, thread);
        if (timer !== null && !(pid === this.#serverPid && this.#isTidyTimer(timer))) return true;
      }
    }
    return false;
  }

  #isTidyTimer(milliseconds: number): boolean {
    const age = (performance.now() - this.#serverSince) % tidyMs;
    return milliseconds >= tidyMs - age - tidySlackMs;
  }
}
