import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { runPaths } from './folder.ts';

const summarySchema = z.object({ complete: z.boolean() });

/** Whether the last start of the run in this folder left nothing to play, as its `summary.json` says. */
export function isRunFinished(folder: string): boolean {
  const { summary } = runPaths(folder);
  return existsSync(summary) && summarySchema.parse(JSON.parse(readFileSync(summary, 'utf8'))).complete;
}
