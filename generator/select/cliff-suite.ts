import { type CliffSpec, formatCliffId, makeCliffTask, type Profile, profiles } from '../cliff/index.ts';
import { depthAxis, opsAxis, parseRange, type Spans, seedAxis, valuesOf } from '../range/index.ts';
import type { TaskAxes } from '../split/index.ts';
import { parseCliffId } from './cliff-id.ts';
import { type Cell, emptyBox, type Suite, type TaskBox } from './suite.ts';

const example: CliffSpec = { depth: 3, ops: 8, seed: 42, profile: 'fair' };

/** The generalization cliff: depth × op-count × seed, in two profiles. */
export const cliffSuite: Suite = {
  name: 'cliff',
  example: formatCliffId(example),
  defaults: { depths: 'D0-D4', ops: '1,2,4,8,16', seeds: '0-2', profiles: 'fair' },
  owns: (word) => /^cliff[-.]/.test(word),
  parseId: (id) => {
    const spec = parseCliffId(id);
    return () => makeCliffTask(spec);
  },
  makeBox,
};

function makeBox({ suites, profiles: chosen, depths, ops, seeds, ...others }: TaskAxes): TaskBox {
  const foreign = [others.levels, others.counts, others.kinds, others.arms, others.delegations];
  if (suites?.has('cliff') === false || foreign.some((axis) => axis !== null)) return emptyBox;
  const cells: Cell[] = [];
  for (const profile of profiles.filter((name) => chosen === null || chosen.has(name))) {
    cells.push(...makeCells(profile, depths ?? whole(depthAxis), ops ?? whole(opsAxis)));
  }
  return { cells, seeds: seeds ?? whole(seedAxis) };
}

/** By depth, then op-count. */
function* makeCells(profile: Profile, depths: Spans, ops: Spans): Generator<Cell, void, undefined> {
  for (const depth of valuesOf(depths)) {
    for (const count of valuesOf(ops)) {
      yield (seed) => makeCliffTask({ depth, ops: count, seed, profile });
    }
  }
}

function whole(axis: typeof depthAxis): Spans {
  return parseRange(`${axis.min}-${axis.max}`, axis, axis.name);
}
