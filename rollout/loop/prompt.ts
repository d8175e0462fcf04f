import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../env/index.ts';

/** The system message of a loop, from `data/prompts`, without its final line feed. */
export function readPrompt(name: string): string {
  return readFileSync(join(packageRoot(), 'data', 'prompts', `${name}.txt`), 'utf8').replace(/\n$/, '');
}
