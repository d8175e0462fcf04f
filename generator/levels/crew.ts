import type { EventAxes, SetupOperation, WorkerOperation } from '../../env/index.ts';
import type { RandomStream } from '../random/index.ts';
import type { Conduct, EventDraft, EventMaker } from './kind.ts';
import { labelled } from './kind.ts';
import type { LevelChoices } from './level.ts';
import type { Schedule } from './schedule.ts';
import { heartbeatLines, heartbeatMs } from './silence.ts';
import type { SlotCounter } from './slot.ts';

export interface CrewRequest {
  readonly choices: LevelChoices;
  readonly arm: EventAxes['arm'];
  /** The kind of each event, in the order of the schedule. */
  readonly happening: readonly EventMaker[];
  /** The kinds that the prompt explains. */
  readonly explained: readonly EventMaker[];
  readonly schedule: Schedule;
  readonly slots: SlotCounter;
  stream(purpose: string): RandomStream;
  nextName(): string;
}

/** The watched workers, and what looks like them. */
export interface Crew {
  /** The session of the watched workers. */
  readonly session: string;
  /** Names of the watched windows, in random order. */
  readonly watched: readonly string[];
  /** How many of them have a heartbeat. */
  readonly heartbeats: number;
  readonly drafts: readonly EventDraft[];
  readonly ack: string;
  /** The session, where it is not the agent's own. */
  readonly setUp: readonly SetupOperation[];
  readonly workers: readonly WorkerOperation[];
}

/** The window of the session `crew` that runs a shell and stays its current one. */
export const idleWindow = 'desk';

/** Fewer candidates than this would make a guess worth while. */
const leastBystanders = 3;
const acks: readonly string[] = ['ack', 'noted', 'seen', 'roger'];
const chatters: readonly string[] = [
  'batch {{count}} done',
  '{{count}} items handled',
  'cycle {{count}} complete',
  'pass {{count}}: no change',
];

interface Member {
  readonly name: string;
  readonly heartbeat: boolean;
  /** Its heartbeat comes from its event, which ends it. */
  readonly falls: boolean;
}

/** Draws the crew. The arms of a task have the same crew; only the times of the drafts differ. */
export function makeCrew(request: CrewRequest): Crew {
  const { choices, explained, stream, nextName } = request;
  const ack = stream('ack').pick(acks);
  const session = sessionOf(choices);
  const drafts = makeDrafts(request, ack);
  const fallen = request.happening.map(({ heartbeat }, index): Member => {
    return { name: drafts[index]?.worker ?? '', heartbeat, falls: heartbeat };
  });
  const others = Array.from({ length: countBystanders(request) }, (_, index): Member => {
    const heartbeat = explained.every((maker) => maker.heartbeat) || (explained.length > 1 && index % 2 === 0);
    return { name: nextName(), heartbeat, falls: false };
  });
  const members = stream('watched').sample([...fallen, ...others], fallen.length + others.length);
  const conduct = (member: Member) => makeConduct(member, request, ack);
  const workers = members.map((member) => makeWorker(member.name, session, conduct(member)));
  return {
    session,
    watched: members.map(({ name }) => name),
    heartbeats: members.filter(({ heartbeat }) => heartbeat).length,
    drafts,
    ack,
    setUp: session === 'main' ? [] : [{ type: 'tmux', argv: newSession(session) }],
    workers: [...workers, ...makeDecoys(request, choices.naming === 'session' ? 'main' : session)],
  };
}

/** Among windows of the cliff's D3, and where every window is watched, the crew has a session of its own. */
function sessionOf({ naming, delegation, depth }: LevelChoices): string {
  return naming === 'session' || (delegation === 'solo' && depth === 3) ? 'crew' : 'main';
}

function newSession(name: string): readonly string[] {
  return ['new-session', '-d', '-s', name, '-n', idleWindow, '-x', '200', '-y', '50', 'bash', '--norc', '--noprofile'];
}

function countBystanders({ choices, explained }: CrewRequest): number {
  return explained.some(({ choosesWindow }) => choosesWindow)
    ? Math.max(choices.bystanders, leastBystanders)
    : choices.bystanders;
}

function makeDrafts({ arm, happening, schedule, slots, stream, nextName }: CrewRequest, ack: string): EventDraft[] {
  const statuses = stream('statuses');
  return happening.map((maker, index) => ({
    id: `${maker.kind}-${index + 1}`,
    worker: nextName(),
    atMs: arm === 'none' ? null : (schedule.events[index] ?? 0) * 1_000,
    slots: slots.take(maker.slots),
    ack,
    status: 1 + statuses.int(9),
  }));
}

/** The same for workers to which something happens and for those to which nothing does. */
function makeConduct(member: Member, { choices, explained, slots, stream }: CrewRequest, ack: string): Conduct {
  const beat = member.heartbeat ? makeHeartbeat() : makeChatter(choices, stream(`chatter of ${member.name}`));
  const acts = member.falls ? [] : beat;
  const hears = explained.some(({ choosesWindow }) => choosesWindow)
    ? [
        {
          line: ack,
          times: 1,
          acts: [{ type: 'print' as const, afterMs: 0, lines: labelled('receipt', slots.take(1)[0] ?? '') }],
        },
      ]
    : [];
  return {
    ...(acts.length > 0 ? { acts } : {}),
    ...(beat.length > 0 ? { starts: [beat] } : {}),
    ...(hears.length > 0 ? { hears } : {}),
  };
}

function makeHeartbeat(): NonNullable<Conduct['acts']> {
  return [{ type: 'beat', afterMs: heartbeatMs, everyMs: heartbeatMs, lines: heartbeatLines }];
}

/** At whole seconds, as heartbeats are: then the gym has no more than one thing to settle in a second. */
function makeChatter({ chatter }: LevelChoices, stream: RandomStream): NonNullable<Conduct['acts']> {
  if (chatter === 0) return [];
  const everyMs = chatter * 1_000;
  return [{ type: 'beat', afterMs: 1_000 * (1 + stream.int(chatter)), everyMs, lines: [stream.pick(chatters)] }];
}

function makeDecoys(request: CrewRequest, session: string): readonly WorkerOperation[] {
  const { choices, explained, schedule, slots, stream, nextName } = request;
  const chance = stream('decoys');
  return Array.from({ length: choices.decoys }, () => {
    const maker = chance.pick(explained);
    const name = nextName();
    const atMs = 1_000 * (2 + chance.int(schedule.end - 2));
    const status = maker.kind === 'completion' ? 0 : 1 + chance.int(9);
    return makeWorker(name, session, maker.decoy({ name, atMs, slots: slots.take(maker.slots), status }));
  });
}

function makeWorker(name: string, session: string, conduct: Conduct): WorkerOperation {
  return {
    type: 'worker',
    name,
    ...(session === 'main' ? {} : { session }),
    screen: [`${name} is up`],
    dead: null,
    restart: [`${name} is up again`],
    ...conduct,
  };
}
