import { z } from 'zod';

/** One action: exactly one of `command`, `script`, `wait` and `keys`. */
const fileActionSchema = z.strictObject({
  command: z.string().max(32_768).optional().describe('A shell command'),
  script: z.string().max(32_768).optional().describe('A whole script as one action'),
  wait: z.int().min(1).max(100_000).optional().describe('Ticks to let pass'),
  keys: z.array(z.string().min(1).max(4_096)).min(1).max(256).optional().describe('Keys, as send-keys takes them'),
  target: z.string().min(1).max(256).optional().describe('The pane that gets the keys'),
});
export type FileAction = z.output<typeof fileActionSchema>;

const naive = z.strictObject({
  script: z.string().max(32_768).optional().describe('The whole solution as one action'),
  actions: z.array(fileActionSchema).max(256).optional().describe('The solution as several actions'),
});

const named = naive.extend({ name: z.string().min(1).max(120).describe('By which means') });
export type FileSolution = z.output<typeof naive> & { readonly name?: string };

export const solutionsSchema = z.strictObject({
  oracle: z.array(named).default([]).describe('Solutions of the author; each scores 1'),
  honest: z.array(named).default([]).describe('More solutions, by other means than the oracle; each scores 1'),
  naive: naive.optional().describe('A plausible attempt that misses the point; fails'),
  wrong: naive.optional().describe('A confident wrong answer of the right form; fails'),
  lazy: z.array(named).default([]).describe('Shortcuts; each fails'),
});
export type FileSolutions = z.output<typeof solutionsSchema>;
