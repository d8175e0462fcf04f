import { z } from 'zod';
import { checkOpSchema } from '../../env/index.ts';

const scalar = z.union([z.string(), z.number()]);

/** One check: exactly one probe (`query`, `file`, `tmux`, `heard`, `started`, `field`, `commands`), and an operator. */
export const checkFileSchema = z.strictObject({
  id: z.string().min(1).max(64),
  role: z.enum(['state', 'react', 'perceive']).default('state').describe('What the check tells'),
  event: z.string().min(1).optional().describe('The event that it belongs to'),
  required: z.boolean().default(true).describe('Whether passing needs it'),
  weight: z.number().min(0).optional().describe('Share of the reward; default 1, or 0.25 for perceive'),
  op: checkOpSchema.describe('How the value is compared, trimmed'),
  expect: z
    .union([scalar, z.array(scalar)])
    .optional()
    .describe('What it is compared with'),
  query: z.string().min(1).max(65_536).optional().describe('Probe: output of a shell script (the weaker instrument)'),
  timeout: z.number().positive().max(60).optional().describe('Seconds that the query may take; default 15'),
  file: z
    .string()
    .regex(/^[A-Za-z0-9._-]+$/, 'one name below HOME, no folder')
    .optional()
    .describe('Probe: text of a file in HOME'),
  tmux: z.array(z.string().max(1_024)).min(1).max(32).optional().describe('Probe: output of a reading tmux command'),
  heard: z
    .strictObject({ worker: z.string(), line: z.string().min(1) })
    .optional()
    .describe('Probe: how often a line was typed into the pane of a worker'),
  started: z.string().optional().describe('Probe: how often the program of a worker was started again'),
  field: z
    .enum(['outcome', 'perceived', 'perceived_by', 'armed'])
    .optional()
    .describe('Probe: a field of what became of the event'),
  commands: z.string().optional().describe('Probe: how often the agent ran this tmux command (full name)'),
});
export type FileCheck = z.output<typeof checkFileSchema>;

/** The keys of which a check has exactly one. */
export const probeKeys = ['query', 'file', 'tmux', 'heard', 'started', 'field', 'commands'] as const;
