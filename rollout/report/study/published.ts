import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { packageRoot } from '../../../env/index.ts';

export const publishedTables = ['cliff', 'suite', 'rl'] as const;
export type PublishedName = (typeof publishedTables)[number];

const provenance = { study: z.string(), page: z.string(), repository: z.string() };

const publishedSchema = z.strictObject({
  schema: z.literal(1),
  table: z.enum(publishedTables),
  title: z.string(),
  provenance: z.strictObject({ ...provenance, section: z.string(), rule: z.string() }),
  files: z.array(
    z.strictObject({
      name: z.string(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      records: z.int(),
      experiment: z.string().optional(),
      stage: z.enum(['base', 'trained']).optional(),
    }),
  ),
  rows: z.array(
    z.strictObject({
      label: z.string(),
      /** The model, or the training experiment. */
      subject: z.string(),
      file: z.string().optional(),
      note: z.string().optional(),
      held_out: z.boolean().optional(),
      /** By column, as the study prints it. */
      printed: z.record(z.string(), z.string()),
      /** By column: passed/runs of the raw records. */
      counts: z.record(z.string(), z.string().regex(/^\d+\/\d+$/)),
      statistic: z.strictObject({ text: z.string(), fisher: z.number().optional() }).optional(),
    }),
  ),
});

/** A table of the study as `data/published` holds it. */
export type Published = Readonly<z.infer<typeof publishedSchema>>;
export type PublishedRow = Published['rows'][number];

export function readPublished(table: PublishedName): Published {
  return publishedSchema.parse(readToml(`${table}.toml`));
}

const absentSchema = z.strictObject({
  schema: z.literal(1),
  provenance: z.strictObject(provenance),
  tables: z.array(z.strictObject({ name: z.string(), title: z.string(), section: z.string(), claim: z.string() })),
});

/** A published table whose raw records are not at hand. */
export type AbsentTable = Readonly<z.infer<typeof absentSchema>['tables'][number]>;

export function readAbsentTables(): readonly AbsentTable[] {
  return absentSchema.parse(readToml('absent.toml')).tables;
}

function readToml(name: string): unknown {
  return parse(readFileSync(join(packageRoot(), 'data', 'published', name), 'utf8'));
}
