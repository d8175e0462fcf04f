import type { Depth } from './depth.ts';
import { makeNames } from './names.ts';
import { makeTokenScreen } from './screen.ts';
import { slot } from './slot.ts';
import { makeCommands, makeScript } from './solution.ts';
import { readInLoop, readToken, windowTarget } from './window.ts';

/** D2: each token stands on the screen of a window of its own. */
export const screens: Depth = {
  depth: 2,
  title: 'screens',
  debugLog: false,
  wordings: [
    (places) =>
      `Each of these windows of the tmux session main shows, on its screen, one line "token: " followed by 8 hex digits. Write those digits to the file $REPORT, one token per line, in any order, and nothing else.\nWindows: ${places}`,
    (places) =>
      `Capture the screens of the windows listed below; all are in the tmux session main. Every screen has a line that starts with "token: "; the token is the 8 hex digits after it. Put only the tokens into $REPORT: one per line, any order, no other text.\n${places}`,
    (places) =>
      `Windows: ${places}\nThe windows above belong to the tmux session main. A token of 8 hex digits is on the screen of every one, after the word "token: ". Copy each token, without that word, into the file $REPORT, on a line of its own. The order is free, and nothing else may be in $REPORT.`,
    (places) =>
      `In the tmux session main, the windows ${places} each display one line like "token: XXXXXXXX", where the X are hex digits. Then $REPORT must be a file with just these 8-digit tokens, one per line in any order, and no further lines.`,
  ],
  make: ({ ops, stream }) => {
    const content = stream('screens');
    const places = makeNames(stream('names'), ops);
    const reads = places.map((name) => `${readToken(windowTarget(name))} >> $REPORT`);
    return {
      places,
      slots: ops,
      plan: places.map((name, index) => ({
        type: 'worker',
        name,
        screen: makeTokenScreen(name, slot(index), content),
        dead: null,
        restart: [],
      })),
      oracle: [
        makeScript('one-by-one', reads),
        makeScript('loop', readInLoop(places)),
        makeCommands('step-by-step', reads),
      ],
      naive: makeScript('active-window', [`${readToken('main')} > $REPORT`]),
    };
  },
};
