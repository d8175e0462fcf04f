import { eventKinds } from '../../env/index.ts';
import { formatCliffId, profiles } from '../cliff/index.ts';
import { type EventSpec, formatEventId, levels } from '../levels/index.ts';

const depths = [0, 1, 2, 3, 4];
const ops = { fair: [1, 2, 3, 4, 8, 16, 33, 64], classic: [1, 2, 4, 8, 16] };
const seeds = {
  fair: [0, 1, 2, 3, 4, 5, 6, 7, 42, Number.MAX_SAFE_INTEGER],
  classic: [0, 1, 2, Number.MAX_SAFE_INTEGER],
};

/** The ids of the golden tasks: every part of each suite, in the order of the file. */
export function goldenIds(): readonly string[] {
  return [...cliffIds(), ...eventIds()];
}

function cliffIds(): readonly string[] {
  return profiles.flatMap((profile) =>
    depths.flatMap((depth) =>
      ops[profile].flatMap((count) =>
        seeds[profile].map((seed) => formatCliffId({ depth, ops: count, seed, profile })),
      ),
    ),
  );
}

/** Every kind at every level, with one event and with several; both other arms; every choice of a level replaced. */
function eventIds(): readonly string[] {
  const kinds = [...eventKinds, 'mixed'] as const;
  const cells = kinds.flatMap((kind) => levels.flatMap(({ level }) => [1, 3].map((count) => ({ kind, level, count }))));
  const arms = kinds.flatMap((kind) => (['none', 'told'] as const).map((arm) => ({ ...replacedPlace, kind, arm })));
  const specs: readonly EventSpec[] = [
    ...cells.map((cell) => ({ ...cell, seed: 7, arm: 'event' as const })),
    ...arms,
    ...replaced.map((overrides) => ({ ...replacedPlace, overrides })),
    { ...replacedPlace, seed: Number.MAX_SAFE_INTEGER },
  ];
  return specs.map(formatEventId);
}

const replacedPlace: EventSpec = { kind: 'mixed', level: 1, count: 2, seed: 7, arm: 'event' };
const replaced: readonly NonNullable<EventSpec['overrides']>[] = [
  { bystanders: 7 },
  { chatter: 2 },
  { decoys: 2 },
  { delegation: 'one' },
  { delegation: 'nested', tokens: 5 },
  { depth: 3 },
  { length: 'long' },
  { naming: 'session' },
  { spacing: 20 },
];
