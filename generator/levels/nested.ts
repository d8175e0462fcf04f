import type { Hear, WorkerOperation } from '../../env/index.ts';
import { makeItems } from './item.ts';
import { slotOf } from './slot.ts';
import type { Delegation } from './work.ts';

/** Virtual milliseconds from a request to its answer, of the lead and of a helper. */
const leadMs = 1_000;
const helperMs = 2_000;
const helpers = 2;

const wordings: readonly [Wording, Wording, Wording] = [
  (lead, items) =>
    `The lead in the window main:${lead} has helpers of its own. Type "where ITEM" into its window, and a second later it prints "ITEM is with HELPER as NUMBER". Then type "give NUMBER" into the window main:HELPER; two seconds later that helper prints "NUMBER: " and a token of 8 hex digits. Write the tokens of the items below (the digits only) to the file $REPORT, one per line, in any order, and nothing else.\nItems: ${items}`,
  (lead, items) =>
    `Items: ${items}\nEach item above is kept by somebody of a team. Its lead, in main:${lead}, answers a line "where ITEM" after a second with "ITEM is with HELPER as NUMBER"; the helper, in the window main:HELPER, answers "give NUMBER" after two seconds with "NUMBER: XXXXXXXX", the X being hex digits. Put only these 8-digit tokens into $REPORT, one per line, any order, no other text.`,
  (lead, items) =>
    `Work through a team in the session main: ask its lead (window ${lead}, a line "where ITEM") for ${items}; about a second later it says "ITEM is with HELPER as NUMBER". The line "give NUMBER" in the window of that name then makes the helper print "NUMBER: " and 8 hex digits within two seconds. $REPORT must be a file with just these digits, one token per line in any order.`,
];
type Wording = (lead: string, items: string) => string;

/** A lead knows which of its helpers keeps what; the helper hands it out. */
export const nested: Delegation = {
  make: ({ choices: { tokens }, stream, nextName }, paraphrase) => {
    const lead = nextName();
    const team = Array.from({ length: helpers }, nextName);
    const items = makeItems(stream('items'), tokens);
    const numbers = makeNumbers(stream('numbers').int(9_000), tokens);
    const keepers = items.map((_, index) => team[index % helpers] ?? lead);
    const wording = wordings[paraphrase] ?? wordings[0];
    const where = items.map((item, index) =>
      answer(`where ${item}`, leadMs, `${item} is with ${keepers[index]} as ${numbers[index]}`),
    );
    const give = (name: string): readonly Hear[] =>
      numbers.flatMap((number, index) =>
        keepers[index] === name ? [answer(`give ${number}`, helperMs, `${number}: ${slotOf(index)}`)] : [],
      );
    return {
      prompt: wording(lead, items.join(' ')),
      tokens,
      slots: tokens,
      plan: [worker(lead, 'where ITEM', where), ...team.map((name) => worker(name, 'give NUMBER', give(name)))],
      script: makeScript(lead, items.join(' ')),
      sleeps: 2 + 3 * tokens,
    };
  },
};

/** Different numbers of four digits. */
function makeNumbers(start: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => 1_000 + ((start + 1_237 * index) % 9_000));
}

function answer(line: string, afterMs: number, text: string): Hear {
  return { line, acts: [{ type: 'print', afterMs, lines: [text] }] };
}

function worker(name: string, usage: string, hears: readonly Hear[]): WorkerOperation {
  const screen = [`${name} is ready, type: ${usage}`];
  return { type: 'worker', name, screen, dead: null, restart: [`${name} is ready again`], hears };
}

function makeScript(lead: string, items: string): readonly string[] {
  return [
    `for item in ${items}; do`,
    `  tmux send-keys -t main:${lead} "where $item" Enter`,
    'done',
    'sleep 2',
    `for item in ${items}; do`,
    `  set -- $(tmux capture-pane -p -t main:${lead} | sed -n "s/^$item is with \\(.*\\) as /\\1 /p")`,
    '  tmux send-keys -t "main:$1" "give $2" Enter',
    '  sleep 3',
    '  tmux capture-pane -p -t "main:$1" | sed -n "s/^$2: //p" >> $REPORT',
    'done',
  ];
}
