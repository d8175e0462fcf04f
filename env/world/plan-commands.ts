import { untilSettled } from '../clock/index.ts';
import type { TmuxCommand } from '../tmux/index.ts';
import type { BlankWorld } from './blank-world.ts';

/** What types into a pane, by tmux's own names and their aliases. */
const typing: ReadonlySet<string> = new Set(['send-keys', 'send', 'paste-buffer', 'pasteb']);

/**
 * Runs the commands of a plan, in order, by as few clients as can be, and returns what they say. Keys wait until every shell is at its prompt, and what
 * follows them until what was typed is over: a shell that is still starting shows its keys twice, or loses them.
 */
export async function runPlanCommands(
  { server, sandbox }: BlankWorld,
  commands: readonly TmuxCommand[],
): Promise<string> {
  let said = '';
  for (let begin = 0; begin < commands.length; ) {
    const types = isTyping(commands[begin]);
    const end = findEnd(commands, begin, types);
    if (types) await untilSettled(sandbox);
    said += await server.run(commands.slice(begin, end));
    if (types) await untilSettled(sandbox);
    begin = end;
  }
  return said;
}

function findEnd(commands: readonly TmuxCommand[], begin: number, types: boolean): number {
  const next = commands.findIndex((command, index) => index > begin && isTyping(command) !== types);
  return next < 0 ? commands.length : next;
}

function isTyping(command: TmuxCommand | undefined): boolean {
  return typing.has(command?.[0] ?? '');
}
