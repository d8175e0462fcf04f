import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInRealTime } from '../clock/index.ts';
import { LauncherGone, type Sandbox } from '../sandbox/index.ts';

export interface ShellProbeOptions {
  readonly sandbox: Sandbox;
  /** What the query reads as `$AGENT_CMDLOG`: one command of the agent a line. */
  readonly commands: readonly string[];
}

/** What a query printed. */
export type ShellAnswer =
  | { readonly type: 'text'; readonly text: string }
  /** It did not end in time, */
  | { readonly type: 'late' }
  /** or the agent has ended its sandbox. */
  | { readonly type: 'gone' };

const outputLimit = 64 << 10;

/**
 * Runs the shell queries of the published format in a frozen world: with the sandbox's own environment, in which nothing
 * of the agent's stands, and with the server's record of the agent's commands as `$AGENT_CMDLOG`, in the form in which
 * that format's runner logged them.
 */
export class ShellProbes {
  readonly #sandbox: Sandbox;
  readonly #log: string;

  constructor({ sandbox, commands }: ShellProbeOptions) {
    const name = `commands-${randomBytes(8).toString('hex')}`;
    this.#sandbox = sandbox;
    this.#log = `${sandbox.serverFolderInside}/${name}`;
    const text = commands.map((command) => `tmux ${command}\n`).join('');
    // Exclusive: whatever the agent may have put there is not followed.
    writeFileSync(join(sandbox.serverFolder, name), text, { flag: 'wx', mode: 0o644 });
  }

  async ask(query: string, limitMs: number): Promise<ShellAnswer> {
    const argv = ['env', `AGENT_CMDLOG=${this.#log}`, 'bash', '--norc', '--noprofile', '-c', query];
    try {
      const exit = await runInRealTime(this.#sandbox, this.#sandbox.launcher.run({ argv, outputLimit }), limitMs);
      return exit === null ? { type: 'late' } : { type: 'text', text: exit.output.toString('utf8') };
    } catch (error) {
      if (error instanceof LauncherGone) return { type: 'gone' };
      throw error;
    }
  }
}
