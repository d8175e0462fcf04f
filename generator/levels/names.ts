import type { RandomStream } from '../random/index.ts';
import { serviceWords } from './words.ts';

/** Gives names such as `mailer17`, each with a word of its own; at most as many as there are words. */
export function makeNamer(stream: RandomStream): () => string {
  const names = stream.sample(serviceWords, serviceWords.length).map((word) => `${word}${10 + stream.int(90)}`);
  let used = 0;
  return () => {
    const name = names[used];
    if (name === undefined) throw new RangeError(`Cannot give a name: all ${names.length} are used`);
    used += 1;
    return name;
  };
}
