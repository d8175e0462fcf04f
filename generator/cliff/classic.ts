import type { SetupOperation, WorkerOperation } from '../../env/index.ts';
import type { Depth } from './depth.ts';
import { slot } from './slot.ts';
import { makeScript } from './solution.ts';

/**
 * What the published study measured under, kept for comparison and no model of a good task: names that are the same for
 * every seed and one wording a depth; D1 calls a global option session-wide; on D2 and D3 a secret is glued to the
 * prompt of the shell that printed it, and every decoy is one and the same word; the workers of D4 run `false`, so a
 * respawn alone prints nothing, and their secrets stand in variables of tmux's environment that no prompt names.
 */
export const classicDepths: readonly Depth[] = [
  {
    depth: 0,
    title: 'files',
    debugLog: false,
    wordings: [
      (places) =>
        `Secret values, one per file, are saved in $HOME under these names: ${places}. Read every file and write all the values, one per line, to the file $REPORT.`,
    ],
    make: ({ ops }) => {
      const places = numbered('secrets/s', ops);
      return {
        places,
        slots: ops,
        plan: places.map((path, index) => ({ type: 'file', path, content: `${slot(index)}\n` })),
        oracle: [makeScript('loop', [`for i in $(seq ${ops}); do cat "$HOME/secrets/s$i"; done > "$REPORT"`])],
        naive: makeScript('list', ['ls "$HOME/secrets" > "$REPORT"']),
      };
    },
  },
  {
    depth: 1,
    title: 'session-wide options',
    debugLog: false,
    wordings: [
      (places) =>
        `Secret values are stored in these session-wide tmux user options: ${places}. Read every option and write all the values, one per line, to the file $REPORT.`,
    ],
    make: ({ ops }) => {
      const places = numbered('@secret', ops);
      return {
        places,
        slots: ops,
        plan: places.map((name, index) => ({ type: 'option', name, value: slot(index) })),
        oracle: [
          makeScript('loop', [`for i in $(seq ${ops}); do tmux show-options -gv "@secret$i"; done > "$REPORT"`]),
        ],
        naive: makeScript('session-options', [
          `for i in $(seq ${ops}); do tmux show-options -v -t main "@secret$i"; done > "$REPORT"`,
        ]),
      };
    },
  },
  {
    depth: 2,
    title: 'screens, glued to a prompt',
    debugLog: false,
    wordings: [
      (places) =>
        `Secret values have been printed, each into a window of its own of the tmux session main: ${places}. Capture the contents of every pane, read the value that was printed there, and write all the values, one per line, to the file $REPORT.`,
    ],
    make: ({ ops }) => {
      const places = numbered('w', ops);
      return {
        places,
        slots: ops,
        plan: places.map((name, index) => makePrinted(name, slot(index))),
        oracle: [makeScript('loop', readInLoop('w', ops))],
        naive: makeScript('last-word', [
          `for i in $(seq ${ops}); do tmux capture-pane -p -t "main:w$i" | awk '{print $NF}'; done > "$REPORT"`,
        ]),
      };
    },
  },
  {
    depth: 3,
    title: 'windows among decoys of one word',
    debugLog: false,
    wordings: [
      (places) =>
        `The real secrets are printed in the windows ${places} of the tmux session main; decoy windows, whose names begin with junk, print bogus values. Capture only the real windows, read their values, and write them, one per line, to $REPORT.`,
    ],
    make: ({ ops }) => {
      const places = numbered('real', ops);
      const decoys = numbered('junk', ops).map((name) => makePrinted(name, 'deadbeef'));
      return {
        places,
        slots: ops,
        plan: [...decoys, ...places.map((name, index) => makePrinted(name, slot(index)))],
        oracle: [makeScript('loop', readInLoop('real', ops))],
        naive: makeScript('everything-in-sight', [
          "for window in $(tmux list-windows -t main -F '#{window_id}'); do",
          `  tmux capture-pane -p -t "$window" | grep -oE '[0-9a-f]{8}'`,
          'done > "$REPORT"',
        ]),
      };
    },
  },
  {
    depth: 4,
    title: 'workers that run false',
    debugLog: true,
    wordings: [
      (places) =>
        `The workers in the windows ${places} of the tmux session main died before they printed their secret. Respawn each so that it prints its value, capture it, and write all the values, one per line, to $REPORT.`,
    ],
    make: ({ ops }) => {
      const places = numbered('w', ops);
      return {
        places,
        slots: ops,
        plan: places.flatMap((name, index) => [
          makeVariable(`TOK${index + 1}`, slot(index)),
          { type: 'worker' as const, name, screen: [], dead: { status: 1 }, restart: [] },
        ]),
        oracle: [
          makeScript('respawn-with-value', [
            `for i in $(seq ${ops}); do`,
            '  value=$(tmux show-environment -g "TOK$i" | cut -d= -f2)',
            `  tmux respawn-pane -k -t "main:w$i" "printf 'secret %s\\n' $value; cat"`,
            'done',
            'sleep 1',
            ...readInLoop('w', ops),
          ]),
          makeScript('environment', [
            `for i in $(seq ${ops}); do tmux show-environment -g "TOK$i" | cut -d= -f2; done > "$REPORT"`,
          ]),
        ],
        naive: makeScript('plain-respawn', [
          `for i in $(seq ${ops}); do tmux respawn-pane -t "main:w$i"; done`,
          'sleep 1',
          ...readInLoop('w', ops),
        ]),
      };
    },
  },
];

function numbered(stem: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${stem}${index + 1}`);
}

/** A window in which a shell printed a value without a newline. */
function makePrinted(name: string, value: string): WorkerOperation {
  return { type: 'worker', name, screen: [`secret ${value}bash-5.2$`], dead: null, restart: [] };
}

function makeVariable(name: string, value: string): SetupOperation {
  return { type: 'tmux', argv: ['set-environment', '-g', name, value] };
}

function readInLoop(stem: string, count: number): readonly string[] {
  return [
    `for i in $(seq ${count}); do`,
    `  tmux capture-pane -p -t "main:${stem}$i" | grep -oE '[0-9a-f]{8}' | tail -1`,
    'done > "$REPORT"',
  ];
}
