import type { EventAxes } from '../../env/index.ts';
import { armAxis, eventCountAxis, kindAxis, levelAxis, parseValue, parseWord, seedAxis } from '../range/index.ts';
import type { LevelChoices } from './level.ts';
import { levels } from './levels.ts';
import { type Overrides, validateOverrides } from './override.ts';

/** The coordinates of an event task: everything that it is made from. */
export interface EventSpec {
  readonly kind: EventAxes['kind'];
  /** 0 to 4. */
  readonly level: number;
  /** Events, 1 to 8. */
  readonly count: number;
  /** 0 to 2^53 - 1. */
  readonly seed: number;
  readonly arm: EventAxes['arm'];
  /** @default none */
  readonly overrides?: Overrides;
}

/**
 * Throws an InputError (`E_KIND`, `E_LEVEL`, `E_EVENT_COUNT`, `E_SEED`, `E_ARM`, `E_OVERRIDE`) for coordinates outside
 * of the grid.
 */
export function validateEventSpec({ kind, level, count, seed, arm, overrides }: EventSpec, where: string): void {
  parseWord(kind, kindAxis, where);
  parseValue(String(level), levelAxis, where);
  parseValue(String(count), eventCountAxis, where);
  parseValue(String(seed), seedAxis, where);
  parseWord(arm, armAxis, where);
  validateOverrides(overrides ?? {}, choicesOf(level), where);
}

/** What a level decides, with what replaces it. Throws a RangeError for a level that there is not. */
export function choicesOf(level: number, overrides: Overrides = {}): LevelChoices {
  const found = levels[level];
  if (found === undefined) throw new RangeError(`Cannot find level E${level}`);
  return { ...found.choices, ...overrides };
}
