import type { Action, Step } from '../../env/index.ts';
import type { ModelClient } from '../client/index.ts';
import type { Sampling, Seat } from './loop.ts';
import { formatAnswer, readScaffoldLine, type ScaffoldRequest } from './scaffold-line.ts';
import { makeSeed } from './seed.ts';
import { makeTurn, type Turn } from './turn.ts';

/** What a program is told about its episode before it begins. */
export function formatOpening({ task, prompt, sample }: Seat, model: string): object {
  const { steps, ticks, ticksPerAction, observationBytes } = task.limits;
  return {
    prompt,
    task: task.id,
    sample,
    model,
    limits: { steps, ticks, ticks_per_action: ticksPerAction, observation_bytes: observationBytes },
  };
}

/** The gym's side of the talk with a program: takes its actions, asks the model for it, and keeps the record. */
export class ScaffoldDialogue {
  readonly #seat: Seat;
  readonly #client: ModelClient;
  readonly #sampling: Sampling;
  readonly #turns: Turn[] = [];
  #steps = 0;
  #over = false;

  constructor(seat: Seat, client: ModelClient, sampling: Sampling) {
    this.#seat = seat;
    this.#client = client;
    this.#sampling = sampling;
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  /** Whether the episode has ended. */
  get over(): boolean {
    return this.#over;
  }

  /** Whether the last thing that the model said is that the conversation is too long. */
  get overflowed(): boolean {
    return this.#turns.at(-1)?.answer === null;
  }

  /** The reply to one line. Throws what the env and the client throw. */
  async answer(line: string): Promise<object> {
    const request = readScaffoldLine(line);
    switch (request.type) {
      case 'action':
        return await this.#act(request.action);
      case 'model':
        return await this.#ask(request);
      case 'format_failure':
        this.#amend({ format_failure: request.reason });
        return { noted: true };
      case 'invalid':
        return { error: { code: 'E_ACTION', message: request.message } };
    }
  }

  /** The program has nothing more to do. */
  async finish(): Promise<void> {
    if (!this.#over) await this.#act({ type: 'done' });
  }

  async #act(action: Action): Promise<object> {
    const step = await this.#seat.env.step(action);
    this.#steps += 1;
    if (this.#turns.at(-1)?.step === null) this.#amend({ step: this.#steps });
    this.#over = step.terminated || step.truncated !== false;
    return formatStep(step);
  }

  async #ask({ messages, tools }: Extract<ScaffoldRequest, { type: 'model' }>): Promise<object> {
    const { task, sample, signal } = this.#seat;
    const seed = makeSeed({ taskSeed: task.seed, sample, turn: this.#turns.length });
    const begin = performance.now();
    const offered = tools.length === 0 ? {} : { tools };
    const completion = await this.#client.complete({ ...this.#sampling, ...offered, messages, seed, signal });
    const asked = { messages, modelMs: performance.now() - begin };
    this.#turns.push(makeTurn(asked, completion, { step: null, format_failure: null }));
    if (completion.type === 'answer') return { answer: formatAnswer(completion) };
    return { error: { code: 'E_CONTEXT', message: completion.message } };
  }

  /** Says more of the last answer: the action that followed it, or that there was none in it. */
  #amend(outcome: Partial<Pick<Turn, 'step' | 'format_failure'>>): void {
    const last = this.#turns.pop();
    if (last !== undefined) this.#turns.push({ ...last, ...outcome });
  }
}

/** As `muxgym play --json` answers, without the grade. */
function formatStep({ observation, terminated, truncated, info }: Step): object {
  const { grade: _, ...facts } = info;
  return { observation, tick: info.tick, terminated, truncated, info: facts };
}
