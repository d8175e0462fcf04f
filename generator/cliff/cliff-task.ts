import type { Check, Limits, Solution, Task, TaskId } from '../../env/index.ts';
import { makeStream } from '../random/index.ts';
import type { Depth } from './depth.ts';
import { depths } from './registry.ts';
import { slot } from './slot.ts';
import { makeScript } from './solution.ts';
import { type CliffSpec, validateCliffSpec } from './spec.ts';
import { generatorVersion } from './version.ts';

/**
 * Makes the task at one place of the cliff: retrieve N tokens and write them to `$REPORT`. Pure: the same spec and
 * generator version give an equal task with equal key order on any machine. Throws an InputError as
 * `validateCliffSpec` does.
 */
export function makeCliffTask(spec: CliffSpec): Task {
  validateCliffSpec(spec, 'cliff task');
  const { depth, ops, seed, profile } = spec;
  const rung = depths[profile][depth] as Depth;
  const stream = (purpose: string) => makeStream({ suite: 'cliff', profile, depth, ops, seed }, purpose);
  const paraphrase = stream('paraphrase').int(rung.wordings.length);
  const { places, slots, plan, oracle, naive } = rung.make({ ops, stream });
  const wording = rung.wordings[paraphrase] ?? rung.wordings[0];
  return {
    id: formatCliffId(spec),
    suite: 'cliff',
    pillar: 'cliff',
    depth,
    ops,
    seed,
    profile,
    paraphrase,
    prompt: wording(places.join(' ')),
    slots,
    plan,
    events: [],
    checks: [makeReportCheck(ops)],
    debugLog: rung.debugLog,
    solutions: { oracle, naive, wrong: makeWrong(ops) },
    limits: makeLimits(ops),
    generator: generatorVersion,
  };
}

/** `cliff-d3-n8-s42`, or `cliff.classic-d3-n8-s42`: the name of the task at a place of the cliff. */
export function formatCliffId({ depth, ops, seed, profile }: CliffSpec): TaskId {
  const suite = profile === 'fair' ? 'cliff' : `cliff.${profile}`;
  return `${suite}-d${depth}-n${ops}-s${seed}` as TaskId;
}

/** The lines of `$REPORT`, in any order, against the first N secrets. */
function makeReportCheck(ops: number): Check {
  return {
    id: 'report',
    role: 'state',
    event: null,
    required: true,
    weight: 1,
    probe: { type: 'file', path: 'report.txt' },
    op: 'multiset',
    expect: Array.from({ length: ops }, (_, index) => slot(index)),
  };
}

/** N made-up tokens of the right form, spelled so that the task's text holds no 8 hex digits in a row. */
function makeWrong(ops: number): Solution {
  return makeScript('made-up', [`for ((i = 1; i <= ${ops}; i++)); do printf 'dead%04x\\n' $i; done > $REPORT`]);
}

/** Four steps and four seconds of sleep a token, and some to look around. */
function makeLimits(ops: number): Limits {
  const steps = 4 * ops + 16;
  return { steps, ticks: 10 * steps, ticksPerAction: 4 * ops + 30, wallMs: 120_000, observationBytes: 16_384 };
}
