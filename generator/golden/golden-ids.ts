import { formatCliffId, profiles } from '../cliff/index.ts';

const depths = [0, 1, 2, 3, 4];
const ops = { fair: [1, 2, 3, 4, 8, 16, 33, 64], classic: [1, 2, 4, 8, 16] };
const seeds = {
  fair: [0, 1, 2, 3, 4, 5, 6, 7, 42, Number.MAX_SAFE_INTEGER],
  classic: [0, 1, 2, Number.MAX_SAFE_INTEGER],
};

/** The ids of the golden tasks: every part of each suite, in the order of the file. */
export function goldenIds(): readonly string[] {
  return profiles.flatMap((profile) =>
    depths.flatMap((depth) =>
      ops[profile].flatMap((count) =>
        seeds[profile].map((seed) => formatCliffId({ depth, ops: count, seed, profile })),
      ),
    ),
  );
}
