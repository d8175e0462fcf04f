import type { TaskEvent } from '../task/index.ts';
import { activity } from './activity.ts';
import { bell } from './bell.ts';
import { completion } from './completion.ts';
import { death } from './death.ts';
import { interrupt } from './interrupt.ts';
import type { KindRule } from './kind.ts';
import { silence } from './silence.ts';

const rules = { death, activity, silence, bell, completion, interrupt } as const;

/** The rule of an event's kind. */
export function ruleOf<Event extends TaskEvent>(event: Event): KindRule<Event> {
  // The registry's keys are the kinds, so the rule under a kind takes events of that kind.
  return rules[event.kind] as unknown as KindRule<Event>;
}
