import seedrandom from 'seedrandom';
import { fragments, words } from './fragment.ts';

export interface HostileEpisode {
  readonly seed: number;
  readonly task: 'D1' | 'D1-logged' | 'D4';
  /** Taken one after another. */
  readonly scripts: readonly string[];
}

/** One draw after another; the same seed gives the same ones on any machine. */
interface Draw {
  int(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

const tasks = ['D1', 'D1-logged', 'D4'] as const;

/** The hostile episode of a seed: fragments of the catalogue and of the grammar, crossed, mutated and wrapped. */
export function makeHostileEpisode(seed: number): HostileEpisode {
  const draw = makeDraw(seed);
  const task = draw.pick(tasks);
  const scripts = Array.from({ length: 1 + draw.int(3) }, () => makeScript(draw));
  return { seed, task, scripts };
}

function makeDraw(seed: number): Draw {
  const random = seedrandom(`hostile-${seed}`);
  const int = (limit: number): number => Math.floor(random() * limit);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[int(items.length)];
    if (item === undefined) throw new RangeError('Cannot pick from an empty list');
    return item;
  };
  return { int, pick };
}

function makeScript(draw: Draw): string {
  const parts = Array.from({ length: 1 + draw.int(4) }, () => wrap(draw, grow(draw)));
  return parts.join(draw.pick(['\n', '\n', '; ', ' && ', ' || ', ' & ', ' | ']));
}

/** A fragment as it is, two crossed, or one with a word changed. */
function grow(draw: Draw): string {
  const one = fill(draw, draw.pick(fragments));
  switch (draw.int(5)) {
    case 0:
      return cross(draw, one, fill(draw, draw.pick(fragments)));
    case 1:
      return mutate(draw, one);
    default:
      return one;
  }
}

function fill(draw: Draw, fragment: string): string {
  return fragment.replace(/\{([a-z]+)\}/g, (whole, name: string) => {
    const list = words[name];
    return list === undefined ? whole : draw.pick(list);
  });
}

/** The beginning of one and the end of another, cut between words or lines. */
function cross(draw: Draw, left: string, right: string): string {
  const [from, to] = [left.split(/(\s+)/), right.split(/(\s+)/)];
  return [...from.slice(0, 1 + draw.int(from.length)), ' ', ...to.slice(draw.int(to.length))].join('');
}

/** One word dropped, doubled, or replaced by any other. */
function mutate(draw: Draw, text: string): string {
  const parts = text.split(/(\s+)/);
  const at = draw.int(parts.length);
  const part = parts[at] ?? '';
  const other = draw.pick(words[draw.pick(Object.keys(words))] ?? ['x']);
  return parts.with(at, draw.pick(['', `${part} ${part}`, other])).join('');
}

function wrap(draw: Draw, text: string): string {
  const quoted = `'${text.replaceAll("'", "'\\''")}'`;
  switch (draw.int(12)) {
    case 0:
      return `(${text}\n) &`;
    case 1:
      return `setsid bash -c ${quoted} &`;
    case 2:
      return `timeout 2 bash -c ${quoted}`;
    case 3:
      return `tmux run-shell -b ${quoted}`;
    case 4:
      return `tmux send-keys -t main:shell ${quoted} Enter`;
    case 5:
      return `for i in 1 2 3; do\n${text}\ndone`;
    case 6:
      return `tmux new-window -d ${quoted}`;
    default:
      return text;
  }
}
