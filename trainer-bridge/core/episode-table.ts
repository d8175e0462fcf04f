import { InputError } from '../../env/index.ts';
import { BusyError } from './refusal.ts';
import type { ServedEpisode } from './served-episode.ts';

type Farewell = 'released' | 'lease' | 'forgotten';

interface Row {
  readonly episode: ServedEpisode;
  readonly client: string;
}

/** Ended episodes are kept for repeats, per live slot; beyond that the oldest are forgotten. */
const keptPerSlot = 4;
/** Ids of gone episodes are remembered, so that their clients hear why. */
const keptFarewells = 20_000;

/** All episodes by id, their slots, and why those that are gone went. An id is shown to nobody but its client. */
export class EpisodeTable {
  readonly #slots: number;
  readonly #onFree: () => void;
  readonly #rows = new Map<string, Row>();
  readonly #farewells = new Map<string, { readonly client: string; readonly why: Farewell }>();
  readonly #ended = new Set<string>();
  #taken = 0;

  /** `onFree` is called whenever a slot becomes free. */
  constructor(slots: number, onFree: () => void) {
    this.#slots = slots;
    this.#onFree = onFree;
  }

  /** Slots in use: episodes that are being made, live, or are being torn down. */
  get live(): number {
    return this.#taken;
  }

  get episodes(): Iterable<Row> {
    return this.#rows.values();
  }

  /** Takes slots for a group. Throws `E_SIZE` where it could never fit, `E_BUSY` where it does not fit now. */
  take(count: number): void {
    if (count > this.#slots) throw tooLarge(count, this.#slots);
    if (this.#taken + count > this.#slots) throw full(this.#taken, this.#slots);
    this.#taken += count;
  }

  /** Gives slots back that hold no episode any more. */
  give(count: number): void {
    this.#taken -= count;
    this.#onFree();
  }

  /** The episode keeps one taken slot until its world is closed. */
  add(client: string, episode: ServedEpisode): void {
    this.#rows.set(episode.facts.id, { episode, client });
  }

  /** Throws `E_EPISODE` where the client has no such episode, `E_LEASE` where its lease has ended. */
  find(client: string, id: string): ServedEpisode {
    const row = this.#rows.get(id);
    if (row !== undefined && row.client === client) return row.episode;
    const farewell = this.#farewells.get(id);
    throw farewell?.client === client ? gone(id, farewell.why) : unknownEpisode(id);
  }

  /** Whether the client had this episode and no longer has. */
  isGone(client: string, id: string): boolean {
    return this.#farewells.get(id)?.client === client;
  }

  /** The world of an episode is closed: its slot is free, the episode stays for repeats. */
  retire(episode: ServedEpisode): void {
    if (this.#rows.has(episode.facts.id)) this.#ended.add(episode.facts.id);
    this.give(1);
    for (const id of this.#ended) {
      if (this.#ended.size <= keptPerSlot * this.#slots) break;
      this.remove(id, 'forgotten');
    }
  }

  /** Forgets an episode but for why; closing its world is the caller's. */
  remove(id: string, why: Farewell): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#rows.delete(id);
    this.#ended.delete(id);
    this.#farewells.set(id, { client: row.client, why });
    for (const old of this.#farewells.keys()) {
      if (this.#farewells.size <= keptFarewells) break;
      this.#farewells.delete(old);
    }
  }
}

function tooLarge(count: number, slots: number): InputError {
  return new InputError({
    code: 'E_SIZE',
    what: 'Cannot create a group that large',
    where: 'size',
    expected: `at most ${slots}, the episodes that this server keeps`,
    found: String(count),
  });
}

function full(taken: number, slots: number): BusyError {
  const facts = {
    code: 'E_BUSY',
    what: 'Cannot create now as all episodes of this server are in use',
    found: `${taken} of ${slots}`,
    hint: 'release finished episodes, or start the server with a higher --max-episodes',
  };
  return new BusyError(facts, 250);
}

function gone(id: string, why: Farewell): InputError {
  if (why === 'lease') return leaseEnded(`episode ${id}`);
  const what = why === 'released' ? 'it was released' : 'too many graded episodes were never released';
  return new InputError({ code: 'E_EPISODE', what: `Cannot use the episode: ${what}`, where: `episode ${id}` });
}

function unknownEpisode(id: string): InputError {
  return new InputError({
    code: 'E_EPISODE',
    what: 'Cannot find the episode',
    where: `episode ${JSON.stringify(id.slice(0, 64))}`,
    expected: 'an episode that this client created on this server',
  });
}

/** The refusal of whatever lost its lease. */
export function leaseEnded(where: string): InputError {
  return new InputError({
    code: 'E_LEASE',
    what: 'The lease has ended',
    where,
    expected: 'a sign of life every few seconds, and an action every few minutes',
    found: 'silence',
    hint: 'call Describe to begin a new lease, then create again',
  });
}
