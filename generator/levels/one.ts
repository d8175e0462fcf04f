import { makeItems } from './item.ts';
import { slotOf } from './slot.ts';
import type { Delegation } from './work.ts';

/** Virtual milliseconds from a request to its answer. */
const answerMs = 2_000;

const wordings: readonly [Wording, Wording, Wording] = [
  (helper, items) =>
    `The helper in the window main:${helper} fetches tokens. Type a line "fetch ITEM" into its window, and two seconds later it prints "ITEM: " and a token of 8 hex digits. Have it fetch the items below, and write the tokens (the digits only) to the file $REPORT, one per line, in any order, and nothing else.\nItems: ${items}`,
  (helper, items) =>
    `Items: ${items}\nAsk your helper for each item above: it runs in main:${helper}, takes lines like "fetch ITEM", and needs two seconds to answer with a line "ITEM: XXXXXXXX", the X being hex digits. Put only these 8-digit tokens into $REPORT, one per line, any order, no other text.`,
  (helper, items) =>
    `Delegate: the worker in the window ${helper} of the session main answers a line "fetch ITEM" with "ITEM: " and 8 hex digits, after two seconds. Collect the digits for the items ${items}. Then $REPORT must be a file with just these tokens, one per line in any order.`,
];
type Wording = (helper: string, items: string) => string;

/** A helper in a window of its own does each part of the job on request. */
export const one: Delegation = {
  make: ({ choices: { tokens }, stream, nextName }, paraphrase) => {
    const helper = nextName();
    const items = makeItems(stream('items'), tokens);
    const list = items.join(' ');
    const wording = wordings[paraphrase] ?? wordings[0];
    return {
      prompt: wording(helper, list),
      tokens,
      slots: tokens,
      plan: [
        {
          type: 'worker',
          name: helper,
          screen: [`${helper} is ready, type: fetch ITEM`],
          dead: null,
          restart: [`${helper} is ready again`],
          hears: items.map((item, index) => ({
            line: `fetch ${item}`,
            acts: [{ type: 'print', afterMs: answerMs, lines: [`${item}: ${slotOf(index)}`] }],
          })),
        },
      ],
      script: [
        `for item in ${list}; do`,
        `  tmux send-keys -t main:${helper} "fetch $item" Enter`,
        'done',
        'sleep 3',
        `for item in ${list}; do`,
        `  tmux capture-pane -p -t main:${helper} | sed -n "s/^$item: //p"`,
        'done > $REPORT',
      ],
      sleeps: 3,
    };
  },
};
