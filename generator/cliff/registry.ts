import { classicDepths } from './classic.ts';
import { files } from './d0-files.ts';
import { options } from './d1-options.ts';
import { screens } from './d2-screens.ts';
import { decoys } from './d3-decoys.ts';
import { deadWorkers } from './d4-dead-workers.ts';
import type { Depth } from './depth.ts';

/**
 * The wording and rules of a task. `fair`: solvable from its prompt alone, by more than one means. `classic`: the
 * conditions of the published study, for comparison only.
 */
export type Profile = 'fair' | 'classic';

/** All depths of a profile; the place in the list is the depth. */
export const depths: Readonly<Record<Profile, readonly Depth[]>> = {
  fair: [files, options, screens, decoys, deadWorkers],
  classic: classicDepths,
};

/** The default comes first. */
export const profiles: readonly Profile[] = ['fair', 'classic'];
