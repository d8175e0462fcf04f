import type { WorkerOperation } from '../../env/index.ts';
import type { RandomStream } from '../random/index.ts';
import type { Depth } from './depth.ts';
import { makeNames } from './names.ts';
import { makeTokenScreen } from './screen.ts';
import { slot } from './slot.ts';
import { makeCommands, makeScript } from './solution.ts';
import { readInLoop, readToken, windowTarget } from './window.ts';

/** D3: the named windows stand among at least as many whose tokens are bogus and look the same. */
export const decoys: Depth = {
  depth: 3,
  title: 'named windows among decoys',
  debugLog: false,
  wordings: [
    (places) =>
      `The tmux session main has many windows that show a line "token: " with 8 hex digits, but only the tokens of the windows named here are real. Write the real tokens (the digits only) to the file $REPORT, one per line, in any order, and nothing else.\nWindows: ${places}`,
    (places) =>
      `Only the windows listed below matter; the other windows of the tmux session main are decoys with false tokens. Take from each listed window's screen the 8 hex digits after "token: ". Put only these tokens into $REPORT: one per line, any order, no other text.\n${places}`,
    (places) =>
      `Real windows: ${places}\nThe tmux session main also holds decoy windows, whose tokens must not be reported. A token is the 8 hex digits after "token: " on a window's screen. Copy the token of every real window into the file $REPORT, on a line of its own. The order is free, and nothing else may be in $REPORT.`,
    (places) =>
      `In the tmux session main, pick out the windows ${places} and ignore all others, which lie. Each displays one line like "token: XXXXXXXX", where the X are hex digits. Then $REPORT must be a file with just the 8-digit tokens of the named windows, one per line in any order.`,
  ],
  make: ({ ops, stream }) => {
    const slots = ops + Math.max(ops, 2);
    const names = makeNames(stream('names'), slots);
    const places = names.slice(0, ops);
    const reads = places.map((name) => `${readToken(windowTarget(name))} >> $REPORT`);
    return {
      places,
      slots,
      plan: makeWindows(names, stream('screens'), stream('order')),
      oracle: [
        makeScript('one-by-one', reads),
        makeScript('loop', readInLoop(places)),
        makeCommands('step-by-step', reads),
      ],
      naive: makeScript('everything-in-sight', [
        "for window in $(tmux list-windows -t main -F '#{window_id}'); do",
        `  ${readToken('"$window"')}`,
        'done > $REPORT',
      ]),
    };
  },
};

/** All windows in one random order: neither the place nor the look of a window tells whether it counts. */
function makeWindows(names: readonly string[], screens: RandomStream, order: RandomStream): readonly WorkerOperation[] {
  const windows = names.map(
    (name, index): WorkerOperation => ({
      type: 'worker',
      name,
      screen: makeTokenScreen(name, slot(index), screens),
      dead: null,
      restart: [],
    }),
  );
  return order.sample(windows, windows.length);
}
