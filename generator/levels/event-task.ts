import { type EventAxes, type EventKind, eventKinds, type Limits, type Task } from '../../env/index.ts';
import { generatorVersion } from '../cliff/index.ts';
import { makeStream, type RandomStream } from '../random/index.ts';
import { makeChecks } from './checks.ts';
import { type Crew, makeCrew } from './crew.ts';
import { delegations } from './delegations.ts';
import { formatEventId } from './event-id.ts';
import { guessOf } from './guess.ts';
import type { EventMaker } from './kind.ts';
import { makers } from './kinds.ts';
import type { LevelChoices } from './level.ts';
import { makeNamer } from './names.ts';
import { makePrompt, wordingCount } from './prompt.ts';
import { makeSchedule, type Schedule } from './schedule.ts';
import { makeSlotCounter } from './slot.ts';
import { makeSolutions } from './solutions.ts';
import { choicesOf, type EventSpec, validateEventSpec } from './spec.ts';
import type { Work } from './work.ts';

/**
 * Makes an event task: a job in the foreground, and workers to whom something happens meanwhile. The three arms of one
 * seed differ in nothing but whether it happens and whether the prompt says so. Pure: the same spec and generator
 * version give an equal task with equal key order on any machine. Throws an InputError as `validateEventSpec` does.
 */
export function makeEventTask(spec: EventSpec): Task {
  validateEventSpec(spec, 'event task');
  const { kind, level, count, seed, arm } = spec;
  const choices = choicesOf(level, spec.overrides);
  const stream = (purpose: string) =>
    makeStream({ suite: `events-${kind}`, profile: 'fair', depth: level, ops: count, seed }, purpose);
  const cast = makeCast(spec, choices, stream);
  const { paraphrase, happening, explained, work, schedule, crew } = cast;
  const events = happening.flatMap((maker, index) => {
    const draft = crew.drafts[index];
    return draft === undefined ? [] : [{ maker, draft }];
  });
  const told = arm === 'told' ? events : [];
  const guess = arm === 'event' ? guessOf(happening, (maker) => candidatesOf(maker, crew)) : null;
  return {
    id: formatEventId(spec),
    suite: 'events',
    pillar: choices.delegation === 'solo' ? 'B' : 'C',
    depth: null,
    ops: null,
    seed,
    profile: 'fair',
    paraphrase,
    prompt: makePrompt({ paraphrase, choices, crew, explained, job: work.prompt, end: schedule.end, told }),
    slots: cast.slots,
    plan: makePlan(work, crew, stream('order')),
    events: events.map(({ maker, draft }) => maker.makeEvent(draft)),
    checks: makeChecks({ arm, tokens: work.tokens, events }),
    debugLog: true,
    solutions: makeSolutions({ arm, choices, crew, events, explained, schedule, work }),
    limits: makeLimits(schedule, work, count),
    generator: generatorVersion,
    axes: { kind, level, count, arm, delegation: choices.delegation },
    ...(guess === null ? {} : { guess }),
  };
}

interface Cast {
  readonly paraphrase: number;
  readonly happening: readonly EventMaker[];
  readonly explained: readonly EventMaker[];
  readonly work: Work;
  readonly schedule: Schedule;
  readonly crew: Crew;
  readonly slots: number;
}

function makeCast(
  { kind, count, arm }: EventSpec,
  choices: LevelChoices,
  stream: (purpose: string) => RandomStream,
): Cast {
  const paraphrase = stream('paraphrase').int(wordingCount);
  const nextName = makeNamer(stream('names'));
  const work = delegations[choices.delegation].make({ choices, stream, nextName }, paraphrase);
  const planned = makeSchedule(count, choices, stream('schedule'));
  const schedule = { ...planned, end: Math.max(planned.end, work.sleeps + 4) };
  const happening = drawKinds(kind, count, stream('kinds')).map((each) => makers[each]);
  const explained = (kind === 'mixed' ? eventKinds : [kind]).map((each) => makers[each]);
  const slots = makeSlotCounter(work.slots);
  const crew = makeCrew({ choices, arm, happening, explained, schedule, slots, stream, nextName });
  return { paraphrase, happening, explained, work, schedule, crew, slots: slots.used };
}

/** Of a mixed task, every kind comes once before one comes again. */
function drawKinds(kind: EventAxes['kind'], count: number, stream: RandomStream): readonly EventKind[] {
  if (kind !== 'mixed') return Array.from({ length: count }, () => kind);
  const first = stream.sample(eventKinds, eventKinds.length);
  return [...first, ...stream.sample(eventKinds, eventKinds.length)].slice(0, count);
}

/** The windows among which an event of a kind that only chooses a window may come. */
function candidatesOf(maker: EventMaker, { heartbeats, watched }: Crew): number {
  return maker.heartbeat ? heartbeats : watched.length;
}

/** All windows in one random order: the place of a window tells nothing. */
function makePlan(work: Work, crew: Crew, order: RandomStream): Task['plan'] {
  const windows = work.plan.filter((operation) => operation.type === 'worker');
  const others = work.plan.filter((operation) => operation.type !== 'worker');
  const all = [...windows, ...crew.workers];
  return [...others, ...crew.setUp, ...order.sample(all, all.length)];
}

/** Room to look every second, and to handle everything one by one; one action may sit through the whole shift. */
function makeLimits({ end }: Schedule, { tokens }: Work, count: number): Limits {
  const steps = end + 6 * tokens + 10 * count + 24;
  const ticksPerAction = 2 * end + 8 * tokens + 6 * count + 30;
  return { steps, ticks: 4 * steps, ticksPerAction, wallMs: 300_000, observationBytes: 16_384 };
}
