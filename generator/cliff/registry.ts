import { files } from './d0-files.ts';
import { options } from './d1-options.ts';
import { screens } from './d2-screens.ts';
import { decoys } from './d3-decoys.ts';
import { deadWorkers } from './d4-dead-workers.ts';
import type { Depth } from './depth.ts';

/** All depths; the place in the list is the depth. */
export const depths: readonly Depth[] = [files, options, screens, decoys, deadWorkers];
