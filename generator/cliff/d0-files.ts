import type { Depth } from './depth.ts';
import { makeNames } from './names.ts';
import { slot } from './slot.ts';
import { makeScript } from './solution.ts';

const folders = ['', '', 'notes/', 'data/', 'inbox/', 'logs/'];

/** D0: each token is the one line of a file in HOME. No tmux. */
export const files: Depth = {
  depth: 0,
  title: 'files',
  debugLog: false,
  wordings: [
    (places) =>
      `Each of these files in your home directory holds one token of 8 hex digits. Write the tokens to the file $REPORT, one per line, in any order, and nothing else.\nFiles: ${places}`,
    (places) =>
      `Collect the token from every file listed below; paths are relative to your home directory, and a token is 8 hex digits. Put them into $REPORT: one token per line, any order, no other text.\n${places}`,
    (places) =>
      `Files: ${places}\nEvery file above, in your home directory, contains a single token (8 hex digits). Copy each token into the file $REPORT, on a line of its own. The order is free, and nothing else may be in $REPORT.`,
    (places) =>
      `Read the files ${places} in your home directory. Each contains exactly one token, 8 hex digits long. Then $REPORT must be a file with these tokens, one per line in any order, and no further lines.`,
  ],
  make: ({ ops, stream }) => {
    const layout = stream('layout');
    const places = makeNames(stream('names'), ops).map((name) => `${layout.pick(folders)}${name}.txt`);
    const list = places.join(' ');
    return {
      places,
      slots: ops,
      plan: places.map((path, index) => ({ type: 'file', path, content: `${slot(index)}\n` })),
      oracle: [
        makeScript('cat', [`cat ${list} > $REPORT`]),
        makeScript('loop', [`for file in ${list}; do`, '  cat "$HOME/$file"', 'done > "$REPORT"']),
      ],
      naive: makeScript('list', ['ls > $REPORT']),
    };
  },
};
