import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { runPaths } from './folder.ts';

const summarySchema = z.object({ complete: z.boolean() });

/**
 * Whether the last start of the run in this folder left nothing to play, as its `summary.json` says. One that cannot be
 * read says nothing: the run's own start tells what is wrong with it.
 */
export function isRunFinished(folder: string): boolean {
  const { summary } = runPaths(folder);
  return (
    existsSync(summary) && summarySchema.safeParse(parseJson(readFileSync(summary, 'utf8'))).data?.complete === true
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
