import type { Turn } from '../loop/index.ts';

type Tokens = readonly number[];

/**
 * For each turn, a mask over `prompt_ids` and `completion_ids` after them: 1 where the model sampled the token, in this
 * turn or in an earlier one that this prompt repeats to the token, 0 where it was given. Where every prompt goes on
 * from the one before, the last turn's row is the whole episode as a trainer wants it. Null without token ids.
 */
export function makeMasks(turns: readonly Turn[]): readonly (readonly number[] | null)[] {
  let before: { readonly ids: Tokens; readonly mask: readonly number[] } = { ids: [], mask: [] };
  return turns.map(({ prompt_ids, completion_ids }) => {
    if (prompt_ids === null || completion_ids === null) return null;
    const known = startsWith(prompt_ids, before.ids) ? before.mask : [];
    const given = new Array<number>(prompt_ids.length - known.length).fill(0);
    const mask = [...known, ...given, ...new Array<number>(completion_ids.length).fill(1)];
    before = { ids: [...prompt_ids, ...completion_ids], mask };
    return mask;
  });
}

function startsWith(tokens: Tokens, start: Tokens): boolean {
  return start.length <= tokens.length && start.every((token, index) => tokens[index] === token);
}
