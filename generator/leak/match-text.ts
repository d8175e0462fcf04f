import type { HeldOut } from './held-out.ts';

/** How a text touches a held-out prompt. */
export interface TextMatch {
  /**
   * `prompt`: it repeats it. `near-duplicate`: it has four fifths of its wording. `paraphrase`: it names its places, or
   * says the same in other words.
   */
  readonly kind: 'prompt' | 'near-duplicate' | 'paraphrase';
  readonly task: string | null;
  readonly found: string;
}

/** Measured on paraphrases by hand: those of held-out prompts reach 0.37 and 1.4, other texts 0.34 or 0.9. */
const leastCloseness = 0.355;
const leastLead = 1.35;
const leastWords = 7;

/** The closest held-out prompt that a text repeats or paraphrases; null where there is none. */
export function matchText(text: string, heldOut: HeldOut): TextMatch | null {
  return matchRepeat(text, heldOut) ?? matchNames(text, heldOut) ?? matchWording(text, heldOut);
}

function matchRepeat(text: string, heldOut: HeldOut): TextMatch | null {
  const { ids, prompts, repeats } = heldOut;
  const match = repeats.findNear(text);
  if (match === null || !isCloser(text, heldOut)) return null;
  const task = ids[match.index] ?? null;
  if (text.includes(prompts[match.index] ?? text)) return { kind: 'prompt', task, found: 'the same prompt' };
  return { kind: 'near-duplicate', task, found: `${Math.round(match.share * 100)} % of its wording` };
}

/** A text that is as like to a prompt that may be trained on, and in words as close to one, repeats that one. */
function isCloser(text: string, { repeats, others, wordings }: HeldOut): boolean {
  if (repeats.likeness(text) > others.likeness(text)) return true;
  const { heldOut, allowed } = wordings.measure(text);
  return heldOut > allowed;
}

function matchNames(text: string, { ids, names }: HeldOut): TextMatch | null {
  const index = names.find(text);
  return index === null ? null : { kind: 'paraphrase', task: ids[index] ?? null, found: 'the names of all its places' };
}

function matchWording(text: string, { ids, wordings }: HeldOut): TextMatch | null {
  const { heldOut, allowed, index, words } = wordings.measure(text);
  if (index === null || words < leastWords) return null;
  if (heldOut < leastCloseness || heldOut < leastLead * allowed) return null;
  const found = `wording at ${heldOut.toFixed(2)} of a held-out prompt and ${allowed.toFixed(2)} of any other`;
  return { kind: 'paraphrase', task: ids[index] ?? null, found };
}
