import type { Depth } from './depth.ts';
import { makeNames } from './names.ts';
import { makeLastScreen, makeTokenScreen } from './screen.ts';
import { slot } from './slot.ts';
import { makeCommands, makeScript } from './solution.ts';
import { readInLoop, readToken, windowTarget } from './window.ts';

/** D4: the workers are dead, and print their token when their pane is respawned. */
export const deadWorkers: Depth = {
  depth: 4,
  title: 'dead workers',
  debugLog: true,
  wordings: [
    (places) =>
      `The workers in these windows of the tmux session main have exited. A respawned worker prints a line "token: " and 8 hex digits about a second after it starts, so sleep 1 before reading its screen. Write each worker's token (the digits only) to the file $REPORT, one per line, in any order, and nothing else.\nWindows: ${places}`,
    (places) =>
      `Respawn the dead pane of every window listed below; all are in the tmux session main. About a second after its start (sleep 1) a worker shows a line that starts with "token: "; the token is the 8 hex digits after it. Put only the tokens into $REPORT: one per line, any order, no other text.\n${places}`,
    (places) =>
      `Windows: ${places}\nThe windows above, in the tmux session main, each hold a worker that exited. Once its pane is respawned, a worker needs about a second (sleep 1), then its screen has a token of 8 hex digits after "token: ". Copy every token into the file $REPORT, on a line of its own. The order is free, and nothing else may be in $REPORT.`,
    (places) =>
      `In the tmux session main, the panes of the windows ${places} are dead. Restart each with its own command (respawn it), sleep 1 so that it can print one line like "token: XXXXXXXX", where the X are hex digits, and read it. Then $REPORT must be a file with just these 8-digit tokens, one per line in any order.`,
  ],
  make: ({ ops, stream }) => {
    const content = stream('screens');
    const places = makeNames(stream('names'), ops);
    const respawns = places.map((name) => `tmux respawn-pane -t ${windowTarget(name)}`);
    const reads = places.map((name) => `${readToken(windowTarget(name))} >> $REPORT`);
    return {
      places,
      slots: ops,
      plan: places.map((name, index) => ({
        type: 'worker',
        name,
        screen: makeLastScreen(name, content),
        dead: { status: 1 + content.int(9) },
        restart: makeTokenScreen(name, slot(index), content),
      })),
      oracle: [
        makeScript('together', [...respawns, 'sleep 1', ...reads]),
        makeScript('one-by-one', [
          `for window in ${places.join(' ')}; do`,
          '  tmux respawn-pane -t "main:$window"',
          '  sleep 1',
          `  ${readToken('"main:$window"')}`,
          'done > "$REPORT"',
        ]),
        {
          name: 'wait-between',
          actions: [
            ...makeCommands('', respawns).actions,
            { type: 'wait', ticks: 1 },
            ...makeScript('', readInLoop(places)).actions,
          ],
        },
      ],
      naive: makeScript('without-respawn', reads),
    };
  },
};
