import { z } from 'zod';
import { eventKinds } from '../../env/index.ts';

const plainName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'a letter, then letters, digits, - and _, 64 at most')
  .describe('A name that needs no quoting');

const lines = z
  .array(z.string().refine((line) => Buffer.byteLength(line) <= 190, 'at most 190 bytes, so that no line wraps'))
  .max(40)
  .describe('Lines that a program prints; {{slot:N}} stands for the N-th secret');

const seconds = z.number().min(0).max(100_000);
const status = z.int().min(0).max(239).describe('Exit status, 0 to 239');

/** One thing that a played program does: `after`, and exactly one of the others. */
const actSchema = z.strictObject({
  after: seconds.default(0).describe('Ticks after the start of the program, or after the line that it answers'),
  print: lines.optional(),
  beat: lines.optional().describe('Printed again and again; {{count}} is 1, 2, …'),
  every: seconds.optional().describe('Ticks between two beats'),
  times: z.int().min(1).optional().describe('How many beats; without it, for as long as the program lives'),
  bell: z.literal(true).optional().describe('Rings the bell'),
  exit: status.optional(),
  signal: plainName.optional().describe('wait-for -S on this channel of tmux'),
  fire: plainName.optional().describe('Starts the event of this id, which has no time of its own'),
});
export type FileAct = z.output<typeof actSchema>;

const acts = z.array(actSchema).max(64);

const hearSchema = z.strictObject({
  line: z.string().min(1).max(190).optional().describe('The whole line that is typed; without it, any other line'),
  times: z.int().min(1).optional().describe('How many such lines are answered'),
  acts,
});

/** A pane whose program is played by the gym. */
export const workerSchema = z.strictObject({
  name: plainName.describe('Name of the worker and of its window'),
  screen: lines.default([]).describe('Printed when it starts'),
  dead: status.optional().describe('It has exited with this status before the agent begins; its pane stays'),
  restart: lines.default([]).describe('Printed half a tick after each later start'),
  session: plainName.optional().describe('Session of its window; default main'),
  split: plainName.optional().describe('Window that is split for it, instead of a window of its own'),
  acts: acts.optional().describe('What it does from the first action on'),
  starts: z.array(acts).min(1).max(16).optional().describe('What it does from its 1st, 2nd, … later start on'),
  hears: z.array(hearSchema).max(64).optional().describe('How it answers what is typed into its pane'),
});
export type FileWorker = z.output<typeof workerSchema>;

/** One step of set-up: exactly one of `file`, `option`, `window`, `tmux` and `worker`. */
export const stepSchema = z.strictObject({
  file: z
    .string()
    .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/, 'a path below HOME, without hidden names')
    .optional()
    .describe('A file below HOME'),
  content: z.string().optional().describe('Text of the file'),
  option: z
    .string()
    .regex(/^@[A-Za-z][A-Za-z0-9_-]*$/, 'a user option: @name')
    .optional(),
  value: z.string().optional().describe('Value of the option'),
  window: plainName.optional().describe('A window with a shell'),
  session: plainName.optional().describe('Session of the window; default main'),
  tmux: z.array(z.string().max(8_192)).min(1).max(64).optional().describe('A command of tmux, one word an item'),
  worker: plainName.optional().describe('Places a worker here; those that are not placed come before the plan'),
});
export type FileStep = z.output<typeof stepSchema>;

/** One event of the schedule; which keys it takes depends on its kind. */
export const eventSchema = z.strictObject({
  id: plainName,
  kind: z.enum(eventKinds),
  worker: plainName.describe('The worker that it happens to'),
  at: seconds.optional().describe('Ticks after the first action; without it, an act fires it'),
  deadline: seconds.optional().describe('Ticks after it happened until which a reaction is in time'),
  says: lines.optional().describe('death, activity, completion: what is printed'),
  status: status.optional().describe('death, completion: exit status'),
  channel: plainName.optional().describe('completion: signalled channel of wait-for'),
  every: seconds.optional().describe('silence: ticks between two beats'),
  beat: lines.optional().describe('silence: what is printed until it stops; {{count}} is 1, 2, …'),
  ack: z.string().min(1).max(64).optional().describe('bell, silence: the line that acknowledges it'),
  receipt: lines.optional().describe('bell, silence, interrupt: printed after the right line'),
  asks: lines.optional().describe('interrupt: the question'),
  answer: z.string().min(1).max(190).optional().describe('interrupt: the line that it waits for'),
});
export type FileEvent = z.output<typeof eventSchema>;
