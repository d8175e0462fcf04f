import { type Boundary, BoundaryError, type Grade, InputError, maskedGrade } from '../../env/index.ts';

/** The grade of an episode that an error took: no reward, never 0, with the part that failed. */
export function makeMaskedGrade(error: unknown): Grade {
  return maskedGrade(boundaryOf(error), error instanceof Error ? error.message : String(error));
}

function boundaryOf(error: unknown): Boundary {
  if (error instanceof BoundaryError) return error.boundary;
  return error instanceof InputError ? 'task' : 'bridge';
}
