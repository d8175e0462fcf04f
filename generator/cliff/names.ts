import type { RandomStream } from '../random/index.ts';
import { words } from './words.ts';

/**
 * `count` (at most 256) names such as `river17`, each with a word of its own. They need no quoting in a shell or in
 * tmux, and none is a prefix of another, which tmux would also accept as a target.
 */
export function makeNames(stream: RandomStream, count: number): readonly string[] {
  return stream.sample(words, count).map((word) => `${word}${10 + stream.int(90)}`);
}
