import { InputError } from '../../env/index.ts';
import { leaseEnded } from './episode-table.ts';
import { BusyError } from './refusal.ts';
import { RequestMemory } from './request-memory.ts';
import type { SplitGate } from './split-gate.ts';

/** A client that has introduced itself. */
export interface ServedClient {
  readonly id: string;
  lastSeen: number;
  narrow: SplitGate | null;
  readonly requests: RequestMemory;
}

const maxClients = 10_000;

/** The living clients. Any call is a sign of life. */
export class ClientRegistry {
  readonly #clients = new Map<string, ServedClient>();

  get all(): Iterable<ServedClient> {
    return this.#clients.values();
  }

  /** A new client, or a known one that describes itself again. Throws `E_CLIENT`, or `E_BUSY` when there are too many. */
  describe(id: string, narrow: SplitGate | null, now: number): ServedClient {
    if (id.length < 1 || id.length > 128) throw badName(id);
    const known = this.#clients.get(id);
    if (known === undefined && this.#clients.size >= maxClients) throw tooMany();
    const client = known ?? { id, lastSeen: now, narrow, requests: new RequestMemory() };
    client.lastSeen = now;
    client.narrow = narrow;
    this.#clients.set(id, client);
    return client;
  }

  /** Renews the lease. Throws `E_LEASE` for a client that is not known or no longer. */
  touch(id: string, now: number): ServedClient {
    const client = this.#clients.get(id);
    if (client === undefined) throw leaseEnded(`client ${JSON.stringify(id.slice(0, 64))}`);
    client.lastSeen = now;
    return client;
  }

  remove(client: ServedClient): void {
    this.#clients.delete(client.id);
  }

  has(client: ServedClient): boolean {
    return this.#clients.get(client.id) === client;
  }
}

function badName(id: string): InputError {
  return new InputError({
    code: 'E_CLIENT',
    what: 'Cannot accept the client id',
    where: 'client',
    expected: '1 to 128 characters, random',
    found: `${id.length} characters`,
  });
}

function tooMany(): BusyError {
  const facts = { code: 'E_BUSY', what: 'Cannot accept another client', found: `${maxClients} living clients` };
  return new BusyError(facts, 1_000);
}
