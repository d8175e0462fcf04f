/** Which answer of a run is asked for. */
export interface SeedPlace {
  readonly taskSeed: number;
  readonly sample: number;
  /** From 0. */
  readonly turn: number;
}

/** Neighbouring samples, tasks and turns get other seeds; a repeat of the run gets the same ones. */
export function makeSeed({ taskSeed, sample, turn }: SeedPlace): number {
  return (taskSeed + sample * 1_000_003 + turn * 7_919) % 2_147_483_647;
}
