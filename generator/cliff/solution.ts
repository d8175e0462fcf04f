import type { Solution } from '../../env/index.ts';

/** A solution that is one script. */
export function makeScript(name: string, lines: readonly string[]): Solution {
  return { name, actions: [{ type: 'script', script: lines.join('\n') }] };
}

/** A solution of one shell command per action. */
export function makeCommands(name: string, commands: readonly string[]): Solution {
  return { name, actions: commands.map((command) => ({ type: 'command', command })) };
}
