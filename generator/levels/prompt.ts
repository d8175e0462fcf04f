import type { Drafted } from './checks.ts';
import { type Crew, idleWindow } from './crew.ts';
import type { EventMaker } from './kind.ts';
import type { LevelChoices } from './level.ts';

export interface PromptParts {
  readonly paraphrase: number;
  readonly choices: LevelChoices;
  readonly crew: Crew;
  readonly explained: readonly EventMaker[];
  /** What the foreground job is, in its own words. */
  readonly job: string;
  /** Seconds that the agent has to stay. */
  readonly end: number;
  /** What is said to happen; empty in the arms that do not say. */
  readonly told: readonly Drafted[];
}

interface Words {
  readonly job: string;
  readonly places: string;
  readonly rules: string;
  readonly end: number;
}

/** Prompts of equal content; the seed chooses. The frame and each kind's rule have the same number. */
const frames: readonly [Frame, Frame, Frame] = [
  ({ job, places, rules, end }) =>
    `You have a job to do and workers to watch.\nJob: ${job}\nWorkers: they run in ${places}. ${rules}\nFor each such event append one line to the file events.txt in your home directory: the name of the window, a space, and the code. Nothing else may be in that file; without any event, do not make it.\nYour shift lasts ${end} seconds from your first command; stay until it is over. Every command takes one second, or as long as it sleeps.`,
  ({ job, places, rules, end }) =>
    `Two things are asked of you, until ${end} seconds have passed since your first command (a command takes one second, or as long as it sleeps; do not leave earlier).\nFirst: ${job}\nSecond, look after the workers in ${places}. ${rules}\nNote each such case in the file events.txt in your home directory, a line for each: window name, space, code. No other lines, and no file if nothing of the kind happens.`,
  ({ job, places, rules, end }) =>
    `Workers run in ${places}; for the next ${end} seconds they are yours. ${rules}\nEach time, add a line with the window's name, a space and the code to events.txt in your home directory: only such lines, and none if nothing happens.\nMeanwhile there is work of your own. ${job}\nThe clock starts with your first command; a command counts as one second, and sleeping counts in full. Do not finish before the ${end} seconds are over.`,
];
type Frame = (words: Words) => string;

/** How many prompts there are for one task. */
export const wordingCount = frames.length;

export function makePrompt({ paraphrase, choices, crew, explained, job, end, told }: PromptParts): string {
  const frame = frames[paraphrase] ?? frames[0];
  const rules = explained.map((maker) => (maker.rules[paraphrase] ?? maker.rules[0])({ ack: crew.ack }));
  const joined = rules.length === 1 ? rules.join('') : `\n${rules.map((rule) => `- ${rule}`).join('\n')}`;
  return `${frame({ job, places: placesOf(choices, crew), rules: joined, end })}${makeTold(crew, told)}`;
}

function placesOf({ naming }: LevelChoices, { session, watched }: Crew): string {
  if (naming === 'session') return `every window of the tmux session ${session} but ${idleWindow}`;
  return `${watched.length === 1 ? 'the window' : 'the windows'} ${watched.join(' ')} of the tmux session ${session}`;
}

function makeTold({ session }: Crew, told: PromptParts['told']): string {
  if (told.length === 0) return '';
  const sentences = told.map(
    ({ maker, draft }) =>
      `${(draft.atMs ?? 0) / 1_000} seconds after your first command the worker in ${session}:${draft.worker} ${maker.happens}`,
  );
  return `\nThis time it is known what happens, and nothing else of the kind does: ${sentences.join('; ')}.`;
}
