import { type EventAxes, InputError, type TaskId } from '../../env/index.ts';
import { eventCountAxis, kindAxis, levelAxis, parseValue, parseWord, seedAxis } from '../range/index.ts';
import { formatOverrides, parseOverrides } from './override.ts';
import { choicesOf, type EventSpec } from './spec.ts';

/** `events-bell-e1-k1-s7`, `events-mixed-e4-k8-s0+told~delegation=one`: the name of an event task. */
export function formatEventId({ kind, level, count, seed, arm, overrides = {} }: EventSpec): TaskId {
  const suffix = arm === 'event' ? '' : `+${arm}`;
  return `events-${kind}-e${level}-k${count}-s${seed}${suffix}${formatOverrides(overrides)}` as TaskId;
}

const number = '(0|[1-9]\\d*)';
const pattern = new RegExp(`^events-([a-z]+)-e${number}-k${number}-s${number}(\\+none|\\+told)?((?:~[^~]*)*)$`);

/**
 * Reads the id of an event task into what the task is made from. Throws an InputError: `E_TASK_ID` for text that is no
 * such id, and as `validateEventSpec` does.
 */
export function parseEventId(id: string): EventSpec {
  const match = pattern.exec(id);
  if (match === null) throw idError(id);
  const [, kind = '', digits = '', count = '', seed = '', arm = '+event', overrides = ''] = match;
  const level = parseValue(digits, levelAxis, id);
  return {
    kind: parseWord(kind, kindAxis, id) as EventAxes['kind'],
    level,
    count: parseValue(count, eventCountAxis, id),
    seed: parseValue(seed, seedAxis, id),
    arm: arm.slice(1) as EventAxes['arm'],
    overrides: parseOverrides(overrides, choicesOf(level), id),
  };
}

function idError(id: string): InputError {
  return new InputError({
    code: 'E_TASK_ID',
    what: 'Cannot read a task id',
    where: JSON.stringify(id),
    expected: 'an id such as events-bell-e1-k1-s7, events-bell-e1-k1-s7+none or events-bell-e1-k1-s7~length=long',
    found: JSON.stringify(id),
  });
}
