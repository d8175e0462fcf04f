import { wordsOf } from './words.ts';

const shingleWords = 3;
/** Share of a held-out prompt's three-word sequences; the same wording with one other name reaches 0.9. */
const nearShare = 0.8;

/** A held-out prompt that a text repeats. */
export interface PromptMatch {
  readonly index: number;
  /** Share of the prompt's three-word sequences that the text holds, in (0, 1]. */
  readonly share: number;
}

/** Finds which of many prompts a text repeats, wholly or nearly, without comparing it with each. */
export interface PromptIndex {
  /** The closest prompt of which the text holds at least four fifths; null where there is none. */
  findNear(text: string): PromptMatch | null;
  /** The likeness of the text and the prompt most like it, both ways (Dice), in [0, 1]. */
  likeness(text: string): number;
}

export function makePromptIndex(prompts: readonly string[]): PromptIndex {
  const sizes: number[] = [];
  const places = new Map<string, number[]>();
  prompts.forEach((prompt, index) => {
    const shingles = shinglesOf(prompt);
    sizes.push(shingles.size);
    for (const shingle of shingles) appendTo(places, shingle, index);
  });
  return {
    findNear: (text) => closest(countShared(shinglesOf(text), places), sizes),
    likeness: (text) => {
      const shingles = shinglesOf(text);
      const shares = [...countShared(shingles, places)].map(
        ([index, count]) => (2 * count) / (shingles.size + (sizes[index] ?? 0)),
      );
      return shares.reduce((most, share) => Math.max(most, share), 0);
    },
  };
}

function appendTo(places: Map<string, number[]>, shingle: string, index: number): void {
  const list = places.get(shingle);
  if (list === undefined) places.set(shingle, [index]);
  else list.push(index);
}

/** The sequences of three words of a text. */
function shinglesOf(text: string): ReadonlySet<string> {
  const words = wordsOf(text);
  const shingles = new Set<string>();
  for (let start = 0; start + shingleWords <= words.length; start++) {
    shingles.add(words.slice(start, start + shingleWords).join(' '));
  }
  return shingles;
}

function countShared(shingles: ReadonlySet<string>, places: Map<string, number[]>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const shingle of shingles) {
    for (const index of places.get(shingle) ?? []) counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return counts;
}

function closest(counts: ReadonlyMap<number, number>, sizes: readonly number[]): PromptMatch | null {
  let best: PromptMatch | null = null;
  for (const [index, count] of counts) {
    const share = count / (sizes[index] ?? 1);
    if (share >= nearShare && (best === null || share > best.share)) best = { index, share };
  }
  return best;
}
