import { InputError } from '../../env/index.ts';
import { depthAxis, opsAxis, parseValue, seedAxis } from '../range/index.ts';
import { type Profile, profiles } from './registry.ts';

/** The coordinates of a cliff task: everything that it is made from. */
export interface CliffSpec {
  /** 0 to 4. */
  readonly depth: number;
  /** Tokens to retrieve, 1 to 64. */
  readonly ops: number;
  /** 0 to 2^53 - 1. */
  readonly seed: number;
  readonly profile: Profile;
}

/** Throws an InputError (`E_DEPTH`, `E_OPS`, `E_SEED`, `E_PROFILE`) for coordinates outside the grid. */
export function validateCliffSpec({ depth, ops, seed, profile }: CliffSpec, where: string): void {
  parseProfile(profile, where);
  parseValue(String(depth), depthAxis, where);
  parseValue(String(ops), opsAxis, where);
  parseValue(String(seed), seedAxis, where);
}

/** Throws an InputError (`E_PROFILE`) for a profile that there is not. */
export function parseProfile(text: string, where: string): Profile {
  const profile = profiles.find((name) => name === text);
  if (profile !== undefined) return profile;
  throw new InputError({
    code: 'E_PROFILE',
    what: 'Cannot generate tasks of a profile',
    where,
    expected: `one of ${profiles.join(', ')}`,
    found: JSON.stringify(text),
  });
}
