import type { EventAxes } from '../../env/index.ts';
import { nested } from './nested.ts';
import { one } from './one.ts';
import { solo } from './solo.ts';
import type { Delegation } from './work.ts';

/** Who does the job, by the name in ids and axes. */
export const delegations: Readonly<Record<EventAxes['delegation'], Delegation>> = { solo, one, nested };
