import { type Action, describeEvent, type EventNotice, type Observation } from '../../env/index.ts';

/**
 * What a model is shown of an observation: the exit code where a command has one, then the output as it is, then a line
 * for each event that was pushed meanwhile.
 */
export function formatObservation(
  action: Action,
  { text, exitCode }: Observation,
  pushed: readonly EventNotice[] = [],
): string {
  const head = headOf(action, exitCode);
  const body = text === '' ? '(no output)' : text;
  const told = pushed.map((notice) => `[event: ${describeEvent(notice)}]`);
  return [head, body, ...told].join('\n');
}

function headOf(action: Action, exitCode: number | null): string {
  switch (action.type) {
    case 'command':
    case 'script':
      return exitCode === null ? '[no exit code]' : `[exit code ${exitCode}]`;
    case 'keys':
      return exitCode === 0 ? '[keys sent]' : `[keys not sent: exit code ${exitCode}]`;
    case 'wait':
      return `[waited ${action.ticks} ticks]`;
    case 'done':
      return '[done]';
  }
}
