import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { InputError } from '../../env/index.ts';
import { runPaths } from './folder.ts';
import { type Measured, measuredSchema } from './throughput.ts';

const recordedSchema = measuredSchema.extend({ complete: z.boolean().default(false) });
type Recorded = Readonly<z.infer<typeof recordedSchema>>;

/** What the last start that played anything measured. Throws `E_CONFIG` where `summary.json` is torn. */
export function readMeasured(summaryFile: string): Measured {
  const { throughput, time } = readRecorded(summaryFile);
  return { throughput, time };
}

/** Whether the last start of the run in this folder left nothing to play. Throws as `readMeasured` does. */
export function isRunFinished(folder: string): boolean {
  return readRecorded(runPaths(folder).summary).complete;
}

function readRecorded(path: string): Recorded {
  if (!existsSync(path)) return { complete: false, throughput: null, time: null };
  try {
    return recordedSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new InputError({
      code: 'E_CONFIG',
      what: 'Cannot read the summary of a run',
      where: path,
      expected: 'a summary that a run wrote; without the file it is made again',
      found: (cause as Error).message.replace(/\s+/g, ' ').slice(0, 200),
      cause,
    });
  }
}
