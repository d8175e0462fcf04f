import type { Depth } from './depth.ts';
import { makeNames } from './names.ts';
import { slot } from './slot.ts';
import { makeScript } from './solution.ts';

/** D1: each token is the value of a global tmux user option. */
export const options: Depth = {
  depth: 1,
  title: 'global user options',
  debugLog: false,
  wordings: [
    (places) =>
      `Each of these global user options of the running tmux server holds one token of 8 hex digits. Write the tokens to the file $REPORT, one per line, in any order, and nothing else.\nOptions: ${places}`,
    (places) =>
      `Read the tmux global user options listed below. The value of each is a token, 8 hex digits long. Put the tokens into $REPORT: one per line, any order, no other text.\n${places}`,
    (places) =>
      `Options: ${places}\nThe options above are global user options of tmux, and the value of every one is a token (8 hex digits). Copy each value into the file $REPORT, on a line of its own. The order is free, and nothing else may be in $REPORT.`,
    (places) =>
      `In tmux, the global user options ${places} are set, each to one token of 8 hex digits. Then $REPORT must be a file with these tokens, one per line in any order, and no further lines.`,
  ],
  make: ({ ops, stream }) => {
    const places = makeNames(stream('names'), ops).map((name) => `@${name}`);
    return {
      places,
      slots: ops,
      plan: places.map((name, index) => ({ type: 'option', name, value: slot(index) })),
      oracle: [
        makeScript(
          'one-by-one',
          places.map((name) => `tmux show-options -gv ${name} >> $REPORT`),
        ),
        makeScript('loop', [
          `for option in ${places.join(' ')}; do`,
          '  tmux show-options -gv "$option"',
          'done > "$REPORT"',
        ]),
      ],
      naive: makeScript(
        'session-options',
        places.map((name) => `tmux show-options -v -t main ${name} >> $REPORT`),
      ),
    };
  },
};
