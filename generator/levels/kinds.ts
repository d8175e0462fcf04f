import type { EventKind } from '../../env/index.ts';
import { activity } from './activity.ts';
import { bell } from './bell.ts';
import { completion } from './completion.ts';
import { death } from './death.ts';
import { interrupt } from './interrupt.ts';
import type { EventMaker } from './kind.ts';
import { silence } from './silence.ts';

/** All kinds, in the order in which a prompt explains them. */
export const makers: Readonly<Record<EventKind, EventMaker>> = {
  death,
  activity,
  silence,
  bell,
  completion,
  interrupt,
};
