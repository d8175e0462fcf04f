import type { RandomStream } from '../random/index.ts';
import type { LevelChoices } from './level.ts';

/** When what happens, in seconds (ticks) since the agent's first command. */
export interface Schedule {
  /** One for each event, in ascending order; never before the second second. */
  readonly events: readonly number[];
  /** How long the agent has to stay. */
  readonly end: number;
}

const firsts = { short: { from: 3, spread: 5 }, long: { from: 16, spread: 15 } } as const;
const rests = { short: { from: 6, spread: 4 }, long: { from: 9, spread: 7 } } as const;
const jitter = 3;

/** The end comes some seconds after the last event, so that it tells little of when that is. */
export function makeSchedule(count: number, choices: LevelChoices, stream: RandomStream): Schedule {
  const { length, spacing } = choices;
  const first = firsts[length].from + stream.int(firsts[length].spread);
  const events: number[] = [];
  for (let next = first; events.length < count; next += spacing + stream.int(jitter)) events.push(next);
  return { events, end: (events.at(-1) ?? first) + rests[length].from + stream.int(rests[length].spread) };
}
