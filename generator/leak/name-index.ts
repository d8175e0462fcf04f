import { namesIn } from './words.ts';

/** Finds which held-out prompt's places a text names, whatever words are around them. */
export interface NameIndex {
  /** Place of a prompt of which the text has two names or more, and all that no other prompt has; null for none. */
  find(text: string): number | null;
}

const leastNames = 2;

/** Names that several prompts have tell nothing and are passed over. */
export function makeNameIndex(heldOut: readonly string[], allowed: readonly string[]): NameIndex {
  const common = new Set(allowed.flatMap(namesIn));
  const owners = new Map<string, number | null>();
  const sizes = new Map<number, number>();
  heldOut.forEach((prompt, index) => {
    for (const name of new Set(namesIn(prompt))) owners.set(name, owners.has(name) ? null : index);
  });
  for (const [name, owner] of owners) {
    if (owner === null || common.has(name)) owners.delete(name);
    else sizes.set(owner, (sizes.get(owner) ?? 0) + 1);
  }
  return { find: (text) => findOwner(countNames(text, owners), sizes) };
}

function countNames(text: string, owners: ReadonlyMap<string, number | null>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const name of new Set(namesIn(text))) {
    const owner = owners.get(name) ?? null;
    if (owner !== null) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return counts;
}

function findOwner(counts: ReadonlyMap<number, number>, sizes: ReadonlyMap<number, number>): number | null {
  for (const [owner, count] of counts) if (count >= leastNames && count === sizes.get(owner)) return owner;
  return null;
}
