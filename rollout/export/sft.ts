import type { Action, Observation, Solution, Task } from '../../env/index.ts';
import { formatObservation, readPrompt, type Turn, toolDefinitions } from '../loop/index.ts';
import type { RolloutRecord, TraceRecord } from '../record/index.ts';
import type { Episode } from './export-source.ts';

/** A message as TRL and chat templates take it. */
export interface SftMessage {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly SftCall[];
  readonly tool_call_id?: string;
}

interface SftCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: unknown };
}

/** A demonstration: train on the assistant's messages. */
export interface SftRow {
  readonly messages: readonly SftMessage[];
  /** The tools as JSON text, which TRL takes; null where the conversation has none. */
  readonly tools: string | null;
  readonly task: string;
  readonly task_hash: string;
  readonly policy: string;
  readonly model: string | null;
  readonly split: string | null;
  readonly reward: number;
}

/**
 * The demonstration of an episode that passed: a model's own conversation, or a scripted policy's actions told as the
 * loop would have had them. Null for episodes that did not pass and for those with a turn that held no valid action.
 */
export function makeSftRow({ record, trace }: Episode, prompt: string, turns: number): SftRow | null {
  if (record.outcome !== 'scored' || !record.passed || record.format_failures > 0) return null;
  const conversation = trace.turns.length > 0 ? readConversation(trace.turns) : tellActions(trace, prompt, turns);
  return conversation === null ? null : { ...conversation, ...originOf(record) };
}

/** The demonstration of a task by its first reference solution, where that is one script; null where it is not. */
export function makeOracleRow(task: Task, taskHash: string, split: string | null): SftRow | null {
  const [solution] = task.solutions.oracle;
  const script = solution === undefined ? null : readScript(solution);
  if (script === null) return null;
  const origin = { task: task.id, task_hash: taskHash, policy: 'oracle', model: null, split, reward: 1 };
  return { ...scriptConversation(task.prompt, script), ...origin };
}

type Conversation = Pick<SftRow, 'messages' | 'tools'>;

function originOf({ task, task_hash, policy, model, split, reward }: RolloutRecord) {
  return { task, task_hash, policy, model, split, reward: reward ?? 0 };
}

/** The last turn's conversation, and its answer; null where the context ended it. */
function readConversation(turns: readonly Turn[]): Conversation | null {
  const last = turns.at(-1);
  if (last === undefined || last.answer === null) return null;
  // Of several calls in one answer the first is taken.
  const said = last.tool_calls === null ? {} : { tool_calls: last.tool_calls.slice(0, 1) };
  const messages = [...last.messages, { role: 'assistant', content: last.answer, ...said }].map(readMessage);
  return { messages, tools: messages.some(({ tool_calls }) => tool_calls !== undefined) ? toolsText() : null };
}

type Recorded = Turn['messages'][number] | { readonly role: string; readonly content: string };

function readMessage(message: Recorded): SftMessage {
  const { role, content } = message;
  const calls = 'tool_calls' in message ? message.tool_calls : undefined;
  const answers = 'tool_call_id' in message ? message.tool_call_id : undefined;
  return {
    role,
    content,
    ...(calls === undefined ? {} : { tool_calls: calls.map((call) => makeCall(call.id, call.name, call.arguments)) }),
    ...(answers === undefined ? {} : { tool_call_id: answers }),
  };
}

/** A call without any argument text is one without arguments, as the tool loop reads it. */
function makeCall(id: string, name: string, args: string | object): SftCall {
  const given = typeof args === 'string' ? JSON.parse(args.trim() === '' ? '{}' : args) : args;
  return { id, type: 'function', function: { name, arguments: given } };
}

function toolsText(): string {
  return JSON.stringify(toolDefinitions.map((definition) => ({ type: 'function', function: definition })));
}

/** One script is the script loop's; anything else is told as calls of tools, which every action has. */
function tellActions({ lines }: TraceRecord, prompt: string, turns: number): Conversation | null {
  const pairs: { readonly action: Action; observation: Observation | null }[] = [];
  for (const line of lines) {
    if (line.type === 'action') pairs.push({ action: line.action, observation: null });
    const last = pairs.at(-1);
    if (line.type === 'observation' && last !== undefined) last.observation = line.observation;
  }
  const acts = pairs.filter(({ action }) => action.type !== 'done');
  const [first] = acts;
  if (first === undefined) return null;
  if (first.action.type === 'script') return acts.length === 1 ? scriptConversation(prompt, first.action.script) : null;
  if (acts.some(({ action, observation }) => action.type === 'script' || observation === null)) return null;
  return toolConversation(prompt, turns, acts);
}

function scriptConversation(prompt: string, script: string): Conversation {
  return {
    messages: [
      { role: 'system', content: readPrompt('script') },
      { role: 'user', content: prompt },
      { role: 'assistant', content: `\`\`\`bash\n${script.replace(/\n$/, '')}\n\`\`\`` },
    ],
    tools: null,
  };
}

function toolConversation(
  prompt: string,
  turns: number,
  acts: readonly { readonly action: Action; readonly observation: Observation | null }[],
): Conversation {
  const messages = acts.flatMap(({ action, observation }, index): readonly SftMessage[] => {
    const { type, ...args } = action;
    const id = `call_${index + 1}`;
    const said = { role: 'assistant', content: '', tool_calls: [makeCall(id, type, args)] };
    const heard = observation === null ? '' : formatObservation(action, observation);
    return [said, { role: 'tool', content: heard, tool_call_id: id }];
  });
  const system = readPrompt('tool').replaceAll('{{turns}}', String(turns));
  const end = { role: 'assistant', content: '', tool_calls: [makeCall(`call_${acts.length + 1}`, 'done', {})] };
  const head = [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ];
  return { messages: [...head, ...messages, end], tools: toolsText() };
}

function readScript({ actions }: Solution): string | null {
  const [first, ...others] = actions;
  if (first === undefined || others.length > 0) return null;
  if (first.type === 'script') return first.script;
  return first.type === 'command' ? first.command : null;
}
