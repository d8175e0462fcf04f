import { answers } from './answers.ts';
import { clocks } from './clocks.ts';
import { damage } from './damage.ts';
import { evidence } from './evidence.ts';
import type { Exploit } from './exploit.ts';
import { questions } from './questions.ts';
import { terminals } from './terminals.ts';
import { walls } from './walls.ts';

/** The rows of the red-team table that concern one episode, and what was found since. */
export const exploits: readonly Exploit[] = [
  ...answers,
  ...damage,
  ...walls,
  ...evidence,
  ...questions,
  ...terminals,
  ...clocks,
];
