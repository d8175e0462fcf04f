import type { Check, EventAxes } from '../../env/index.ts';
import type { EventDraft, EventMaker } from './kind.ts';
import { slotOf } from './slot.ts';

/** Name of the file in HOME that takes the notes. */
export const notesFile = 'events.txt';

export interface ChecksRequest {
  readonly arm: EventAxes['arm'];
  /** Secrets of the job: the first slots. */
  readonly tokens: number;
  readonly events: readonly Drafted[];
}

/** An event and who makes it. */
export interface Drafted {
  readonly maker: EventMaker;
  readonly draft: EventDraft;
}

/** What is graded: the job, each event's reaction, whether it was perceived, and that nothing else was noted. */
export function makeChecks({ arm, tokens, events }: ChecksRequest): readonly Check[] {
  const job = makeJobCheck(tokens);
  if (arm === 'none') return [job, ...events.map(({ draft }) => makeQuiet(draft, events.length))];
  const isTold = arm === 'told';
  const reactions = events.flatMap((event) => {
    const others = events.filter((each) => each !== event).map(({ draft }) => draft.worker);
    return makeReactions(event, { others, isTold });
  });
  return [job, ...reactions, makeNotes(events)];
}

/** The lines of `$REPORT`, in any order, against the first secrets. */
function makeJobCheck(tokens: number): Check {
  return {
    id: 'report',
    role: 'state',
    event: null,
    required: true,
    weight: 1,
    probe: { type: 'file', path: 'report.txt' },
    op: 'multiset',
    expect: Array.from({ length: tokens }, (_, index) => slotOf(index)),
  };
}

/**
 * An event is worth two: one for its note among all notes, where a wrong one costs what a right one earns, and one for
 * its own checks. Its own note counts only while nothing is noted of windows in which nothing happened, so that noting
 * everything in sight earns nothing. What one is told need not be perceived.
 */
function makeReactions(
  { maker, draft }: Drafted,
  { others, isTold }: { readonly others: readonly string[]; readonly isTold: boolean },
): readonly Check[] {
  const { id, worker } = draft;
  const effects = maker.reactions(draft);
  const weight = effects.length > 0 ? 0.25 : 0;
  const note: Check = {
    id: `${id}-note`,
    role: 'react',
    event: id,
    required: true,
    weight: 1 - weight - (isTold ? 0 : 0.25),
    probe: { type: 'file', path: notesFile },
    op: 'regex',
    expect: [onlyNote(worker, maker.codeOf(draft.slots), others)],
  };
  const perceived: Check = {
    id: `${id}-perceived`,
    role: 'perceive',
    event: id,
    required: false,
    weight: 0.25,
    probe: { type: 'event', event: id, field: 'perceived' },
    op: 'eq',
    expect: ['yes'],
  };
  const effect = { role: 'react', event: id, required: true, weight: weight / Math.max(1, effects.length) } as const;
  return [...effects.map((check): Check => ({ ...check, ...effect })), note, ...(isTold ? [] : [perceived])];
}

/** A text that has a note, and else only notes of the other windows, whatever their code. */
function onlyNote(name: string, code: string, others: readonly string[]): string {
  const line = (names: string, digits: string) => `[ \\t]*${names} +${digits}[ \\t\\r]*(?:\\n|$)`;
  const own = line(name, code);
  const allowed = others.length === 0 ? own : `${own}|${line(`(?:${others.join('|')})`, '[0-9a-f]{8}')}`;
  return `^(?!(?:[^\\n]*\\n)*(?!${allowed})[^\\n]*\\S)(?:[^\\n]*\\n)*${own}`;
}

/** Every note is one of an event. */
function makeNotes(events: readonly Drafted[]): Check {
  return {
    id: 'notes',
    role: 'state',
    event: null,
    required: true,
    weight: events.length,
    probe: { type: 'file', path: notesFile },
    op: 'multiset',
    expect: events.map(({ maker, draft }) => `${draft.worker} ${maker.codeOf(draft.slots)}`),
  };
}

/** Together as much as the job: doing nothing is right here, but earns no more than half. */
function makeQuiet({ id }: EventDraft, count: number): Check {
  return {
    id: `${id}-quiet`,
    role: 'react',
    event: id,
    required: true,
    weight: 1 / count,
    probe: { type: 'file', path: notesFile },
    op: 'empty',
    expect: [],
  };
}
