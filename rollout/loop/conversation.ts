import type { Action, Step } from '../../env/index.ts';
import type { Answer, ChatMessage, ModelClient, ToolDefinition } from '../client/index.ts';
import type { Play, Sampling, Seat } from './loop.ts';
import { formatObservation } from './observation-text.ts';
import { makeSeed } from './seed.ts';
import { makeTurn, type Turn } from './turn.ts';

/** What an answer asks for. */
export type Reading =
  | { readonly type: 'action'; readonly action: Action; readonly reply: (observed: string) => readonly ChatMessage[] }
  /** No valid action: nothing is run, and the messages tell the model why. */
  | { readonly type: 'failure'; readonly reason: string; readonly messages: readonly ChatMessage[] };

/** How a model is told about its work and how its answers are read: all in which the turn-by-turn loops differ. */
export interface Protocol {
  /** The system message; `{{turns}}` stands for the number of turns. */
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** Reads one answer. Each message that it returns is appended to the conversation, the answer itself first. */
  read(answer: Answer): Reading;
}

/**
 * Plays turn by turn: one answer, at most one action, its observation back to the model. A turn is an answer, whether it
 * held an action or not; there are as many as the task allows steps.
 */
export async function playConversation(
  protocol: Protocol,
  seat: Seat,
  client: ModelClient,
  sampling: Sampling,
): Promise<Play> {
  const { task, sample, prompt, signal } = seat;
  const messages: ChatMessage[] = [
    { role: 'system', content: protocol.system.replaceAll('{{turns}}', String(task.limits.steps)) },
    { role: 'user', content: prompt },
  ];
  const turns: Turn[] = [];
  let steps = 0;
  while (turns.length < task.limits.steps) {
    if (signal.aborted) return { turns, truncatedBy: 'time' };
    const seed = makeSeed({ taskSeed: task.seed, sample, turn: turns.length });
    const asked = [...messages];
    const begin = performance.now();
    const tools = protocol.tools.length === 0 ? {} : { tools: protocol.tools };
    const completion = await client.complete({ ...sampling, ...tools, messages: asked, seed, signal });
    const modelMs = performance.now() - begin;
    const record = (outcome: Pick<Turn, 'step' | 'format_failure'>) =>
      turns.push(makeTurn({ messages: asked, modelMs }, completion, outcome));
    if (completion.type === 'context-overflow') {
      record({ step: null, format_failure: null });
      return { turns, truncatedBy: 'context' };
    }
    const reading = protocol.read(completion);
    if (reading.type === 'failure') {
      record({ step: null, format_failure: reading.reason });
      messages.push(...reading.messages);
      continue;
    }
    steps += 1;
    record({ step: steps, format_failure: null });
    const step = await seat.env.step(reading.action);
    if (isOver(step)) break;
    messages.push(...reading.reply(formatObservation(reading.action, step.observation, step.info.pushed)));
  }
  return { turns, truncatedBy: null };
}

function isOver(step: Step): boolean {
  return step.terminated || step.truncated !== false;
}
