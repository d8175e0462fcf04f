import { type Boundary, BoundaryError } from '../errors.ts';
import type { Grade } from '../grade/index.ts';

/** A fault that is not the agent's. */
export interface Broken {
  readonly boundary: Boundary;
  readonly failure: string;
}

/** The fault that an error tells of, at `boundary` where it names none itself. */
export function brokenBy(error: unknown, boundary: Boundary): Broken {
  return { boundary: error instanceof BoundaryError ? error.boundary : boundary, failure: describe(error) };
}

/** The grade of an episode that the machinery spoiled: no reward, and which part failed. */
export function maskedGrade(boundary: Boundary, failure: string): Grade {
  return { outcome: 'masked', reward: null, passed: false, flags: [], boundary, failure, checks: [], events: [] };
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
