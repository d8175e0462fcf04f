import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readJsonLines } from '../../record/index.ts';

const shared = {
  model: z.string(),
  seed: z.int(),
  passed: z.boolean(),
  score: z.number(),
  turns: z.int().optional(),
  error: z.string().nullable().default(null),
};
const cliffSchema = z.object({ ...shared, depth: z.int().min(0), n: z.int().min(1) });
const suiteSchema = z.object({
  ...shared,
  task: z.string(),
  category: z.string(),
  missed_event_rate: z.number().nullable().default(null),
});

/** One line of the published study's raw records: a run on the cliff or of the suite. */
const studyRecordSchema = z.union([cliffSchema, suiteSchema]);
export type StudyRecord = Readonly<z.infer<typeof studyRecordSchema>>;

/** Raw records of the study with the hash of their file, by which its published table knows it. */
export interface StudyFile {
  readonly sha256: string;
  readonly records: readonly StudyRecord[];
}

/** Whether a file holds raw records of the study, by its first line; ours carry a schema number. */
export function isStudyFile(file: string): boolean {
  const [line = ''] = readFileSync(file, 'utf8').split('\n', 1);
  try {
    return studyRecordSchema.safeParse(JSON.parse(line)).success;
  } catch {
    return false; // no JSON: the reader of our own records names the line
  }
}

/** Throws an InputError (`E_RECORD`, with file and line) for a line that is no record of the study. */
export async function readStudyFile(file: string, onTorn: (offset: number) => void): Promise<StudyFile> {
  const records: StudyRecord[] = [];
  for await (const { value } of readJsonLines(file, studyRecordSchema, { onTorn })) records.push(value);
  return { sha256: createHash('sha256').update(readFileSync(file)).digest('hex'), records };
}
