import { z } from 'zod';
import { seedSchema } from '../../env/index.ts';
import { checkFileSchema } from './check-schema.ts';
import { solutionsSchema } from './solution-schema.ts';
import { eventSchema, stepSchema, workerSchema } from './world-schema.ts';

const envSchema = z.strictObject({
  width: z.int().min(1).max(1_000).optional().describe('Published format: given to setup as $BENCH_WIDTH'),
  height: z.int().min(1).max(1_000).optional().describe('Published format: given to setup as $BENCH_HEIGHT'),
  max_turns: z.int().min(1).max(1_000).default(24).describe('Actions in an episode'),
  agent_timeout: z.int().min(1).max(1_000).default(60).describe('Ticks that one action may take'),
  ticks: z.int().min(1).max(100_000).optional().describe('Ticks in an episode; default 10 for each turn, at least 240'),
  setup_timeout: z.number().positive().max(60).default(30).describe('Seconds that setup may take'),
  observation_bytes: z.int().min(256).max(65_536).default(16_384).describe('Bytes kept of an observation'),
});

/** A task file as its author writes it: the published format, and what we add. */
export const taskFileSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, 'a letter, then letters, digits, and _ . -, such as B-DIE-002')
    .describe('Unique name, such as B-DIE-002'),
  category: z
    .string()
    .regex(/^[ABC](-[A-Z0-9]+)+$/, 'A-, B- or C- and a capital word, such as A-WIN')
    .describe('Category of the study, such as A-WIN or B-NOTIFY'),
  tier: z.enum(['T1', 'T2', 'T3', 'T4']).describe('Difficulty and weight, T1 to T4'),
  title: z.string().min(1).max(120),
  teaches: z.string().min(1).max(300).optional().describe('What one learns from it, in a sentence'),
  seed: seedSchema.default(0).describe('Part of the identity; up to 2^53 - 1'),
  guess: z.number().min(0).max(1).optional().describe('Best chance to pass without perceiving anything'),
  slots: z.int().min(0).max(64).default(0).describe('Secrets of 32 bits: {{slot:0}} and up'),
  hooks: z.array(z.string()).optional().describe('after-* and client-* hooks that a solution may set'),
  prompt: z.string().min(1).max(16_384).describe('All that the agent is told'),
  setup: z.string().max(65_536).optional().describe('Published format: shell script that sets the world up'),
  reference: z.string().max(32_768).optional().describe('Published format: a solution as a shell script'),
  env: envSchema.prefault({}),
  plan: z.array(stepSchema).max(256).default([]).describe('Set-up, in order'),
  workers: z.array(workerSchema).max(64).default([]).describe('Panes whose programs are played'),
  events: z.array(eventSchema).max(16).default([]).describe('What happens, and when'),
  checks: z.array(checkFileSchema).min(1).max(64).describe('What is graded'),
  solutions: solutionsSchema.prefault({}),
});
export type TaskFile = z.output<typeof taskFileSchema>;
