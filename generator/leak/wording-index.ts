import { stemsOf } from './words.ts';

/** How close a text comes to the held-out wordings, and to those that are not held out; each in [0, 1]. */
export interface Closeness {
  readonly heldOut: number;
  readonly allowed: number;
  /** Place of the closest held-out prompt in the list that the index was made from; null where there is none. */
  readonly index: number | null;
  /** How many different words of the text any wording has: a short text comes close by chance. */
  readonly words: number;
}

/** Compares texts with the ways in which prompts are worded, names apart: finds who says the same in other words. */
export interface WordingIndex {
  measure(text: string): Closeness;
}

/**
 * Makes the index from held-out and other prompts. A word counts for more the fewer wordings have it, so that what sets
 * one apart (decoys, respawn) outweighs what all say (token, report). Closeness is the cosine of the weighted counts. A
 * wording that other prompts have as well tells nothing and is no held-out one.
 */
export function makeWordingIndex(heldOut: readonly string[], allowed: readonly string[]): WordingIndex {
  const others = distinct(allowed);
  const shared = new Set(others.map(({ key }) => key));
  const out = distinct(heldOut).filter(({ key }) => !shared.has(key));
  const weights = weigh([...out, ...others]);
  const left = out.map(({ stems, index }) => ({ vector: toVector(stems, weights), index }));
  const right = others.map(({ stems, index }) => ({ vector: toVector(stems, weights), index }));
  return {
    measure: (text) => {
      const vector = toVector(stemsOf(text), weights);
      const closest = best(vector, left);
      const allowed = best(vector, right).share;
      return { heldOut: closest.share, index: closest.index, allowed, words: vector.size };
    },
  };
}

interface Wording {
  readonly key: string;
  readonly stems: readonly string[];
  readonly index: number;
}

/** One of each wording: most prompts differ in names alone. */
function distinct(prompts: readonly string[]): readonly Wording[] {
  const seen = new Map<string, Wording>();
  for (const [index, prompt] of prompts.entries()) {
    const stems = stemsOf(prompt);
    const key = stems.join(' ');
    if (!seen.has(key)) seen.set(key, { key, stems, index });
  }
  return [...seen.values()];
}

type Vector = ReadonlyMap<string, number>;

function weigh(wordings: readonly Wording[]): Vector {
  const counts = new Map<string, number>();
  for (const { stems } of wordings) for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return new Map([...counts].map(([stem, count]) => [stem, Math.log((1 + wordings.length) / count)]));
}

/** Of length 1; words that no wording has are passed over. */
function toVector(stems: readonly string[], weights: Vector): Vector {
  const values = new Map<string, number>();
  for (const stem of stems) {
    const weight = weights.get(stem);
    if (weight !== undefined) values.set(stem, weight);
  }
  const length = Math.hypot(...values.values());
  return new Map([...values].map(([stem, value]) => [stem, value / length]));
}

function best(
  text: Vector,
  wordings: readonly { readonly vector: Vector; readonly index: number }[],
): { readonly share: number; readonly index: number | null } {
  let share = 0;
  let index: number | null = null;
  for (const wording of wordings) {
    const found = dot(text, wording.vector);
    if (found > share) [share, index] = [found, wording.index];
  }
  return { share, index };
}

function dot(left: Vector, right: Vector): number {
  let sum = 0;
  for (const [stem, value] of left) sum += value * (right.get(stem) ?? 0);
  return sum;
}
