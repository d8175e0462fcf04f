import { runInRealTime } from '../clock/index.ts';
import { BoundaryError } from '../errors.ts';
import type { SetupOperation, Task } from '../task/index.ts';
import type { TmuxCommand } from '../tmux/index.ts';
import type { BlankWorld } from './blank-world.ts';

type ShellOperation = Extract<SetupOperation, { type: 'shell' }>;

const outputLimit = 64 << 10;
const mainSession = 'main';

/**
 * Runs the shell scripts of a plan inside, in real time. Where they alone set the world up and made sessions of their
 * own, the session that every world begins with is ended, as tasks of the published format expect it. What fails inside
 * a script is its author's business, as in that format; one that does not end in time is ended, with a BoundaryError
 * (`E_SETUP_SHELL`). Returns whether there was any script.
 */
export async function runShellSetup({ sandbox, server }: BlankWorld, { plan }: Task): Promise<boolean> {
  const scripts = plan.filter((operation): operation is ShellOperation => operation.type === 'shell');
  for (const { script, timeoutMs } of scripts) {
    const argv = ['bash', '--norc', '--noprofile', '-c', script];
    const exit = await runInRealTime(sandbox, sandbox.launcher.run({ argv, outputLimit }), timeoutMs);
    if (exit !== null) continue;
    throw new BoundaryError('task', {
      code: 'E_SETUP_SHELL',
      what: 'Cannot set the world up by its shell script',
      expected: `an end within ${timeoutMs} ms`,
      found: 'a script that still ran, and was ended',
    });
  }
  if (scripts.length > 0 && scripts.length === plan.length) await endMainSession(server);
  return scripts.length > 0;
}

async function endMainSession(server: BlankWorld['server']): Promise<void> {
  const names = (await server.run([listSessions])).trimEnd().split('\n');
  if (names.includes(mainSession) && names.length > 1) await server.run([['kill-session', '-t', `=${mainSession}`]]);
}

const listSessions: TmuxCommand = ['list-sessions', '-F', '#{session_name}'];
