import type { Check, EventAxes } from '../../env/index.ts';
import type { EventDraft, EventMaker } from './kind.ts';
import { slotOf } from './slot.ts';

/** Name of the file in HOME that takes the notes. */
export const notesFile = 'events.txt';

export interface ChecksRequest {
  readonly arm: EventAxes['arm'];
  /** Secrets of the job: the first slots. */
  readonly tokens: number;
  readonly events: readonly { readonly maker: EventMaker; readonly draft: EventDraft }[];
}

/** What is graded: the job, each event's reaction, whether it was perceived, and that nothing else was noted. */
export function makeChecks({ arm, tokens, events }: ChecksRequest): readonly Check[] {
  const job = makeJobCheck(tokens);
  if (arm === 'none') return [job, ...events.map(({ draft }) => makeQuiet(draft, events.length))];
  const reactions = events.flatMap(({ maker, draft }) => makeReactions(maker, draft));
  return [job, ...reactions, makeExact(events)];
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

function makeReactions(maker: EventMaker, draft: EventDraft): readonly Check[] {
  const { id } = draft;
  const shared = { event: id, required: true, weight: 1 };
  const note: Check = {
    id: `${id}-note`,
    role: 'react',
    ...shared,
    probe: { type: 'file', path: notesFile },
    op: 'regex',
    expect: [onlyLine(draft.worker, maker.codeOf(draft.slots))],
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
  const effects = maker.reactions(draft).map((check): Check => ({ ...check, role: 'react', ...shared }));
  return [...effects, note, perceived];
}

/** A text in which a line starts with a name, and every such line is this one. */
function onlyLine(name: string, code: string): string {
  const line = `[ \\t]*${name} +${code}[ \\t\\r]*(?:\\n|$)`;
  return `^(?!(?:[^\\n]*\\n)*(?!${line})[ \\t]*${name}\\b)(?:[^\\n]*\\n)*${line}`;
}

/** Every note is one of an event. */
function makeExact(events: ChecksRequest['events']): Check {
  return {
    id: 'notes',
    role: 'state',
    event: null,
    required: true,
    weight: 1,
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
