import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../env/index.ts';
import { connectAnthropic } from './anthropic.ts';
import type {
  Answer,
  AnswerPart,
  ChatMessage,
  ChatRequest,
  Completion,
  ContextOverflow,
  ModelClient,
} from './client.ts';
import { formatAnswer, formatConversation } from './conversation-text.ts';
import type { FusionMember, FusionPreset } from './fusion-preset.ts';
import { connectOpenAi } from './openai.ts';
import type { ClientOptions } from './options.ts';

export interface FusionOptions extends Omit<ClientOptions, 'model' | 'apiKeyEnv'> {
  readonly preset: FusionPreset;
  /** For OpenAI-compatible members that name none. */
  readonly baseUrl?: string | undefined;
}

/**
 * Connects to all models of a preset and answers as one model: the panel answers side by side, the judge compares their
 * answers, the synthesizer writes the answer that counts. Tools are offered to the synthesizer alone; panel and judge
 * see calls as text, so that any model can sit there. One member that fails fails the answer: a panel of other members
 * would be another model. Throws what the connections throw.
 */
export async function connectFusion(options: FusionOptions): Promise<ModelClient> {
  const { preset } = options;
  if ('gateway' in preset.plan) {
    const { gateway } = preset.plan;
    const client = await connectMember(gateway, options, gateway.server_tools);
    return { ...client, model: `${client.model} (${preset.name})` };
  }
  const { plan } = preset;
  const [judge, synthesizer, ...panel] = await Promise.all(
    [plan.judge, plan.synthesizer, ...plan.panel].map(async (member) => await seatMember(member, options)),
  );
  if (judge === undefined || synthesizer === undefined)
    throw new TypeError('Cannot fuse without judge and synthesizer');
  const table: FusionTable = { panel, judge, synthesizer, prompts: readPrompts() };
  const members = [...panel, judge, synthesizer];
  return {
    model: preset.name,
    complete: (request) => fuse(table, request),
    requireTools: () => synthesizer.client.requireTools(),
    isReachable: async () => (await Promise.all(members.map(({ client }) => client.isReachable()))).every(Boolean),
  };
}

interface Seated {
  readonly client: ModelClient;
  readonly member: FusionMember;
}

async function seatMember(member: FusionMember, options: FusionOptions): Promise<Seated> {
  return { client: await connectMember(member, options), member };
}

function connectMember(
  member: FusionMember,
  options: FusionOptions,
  serverTools?: readonly Readonly<Record<string, unknown>>[],
): Promise<ModelClient> {
  const { requestTimeoutMs, maxRetries, stream, timer } = options;
  const temperature = member.temperature ?? options.temperature;
  const common = {
    model: member.model,
    apiKeyEnv: member.api_key_env,
    requestTimeoutMs,
    maxRetries,
    stream,
    temperature,
    timer,
  };
  if (member.client === 'anthropic') return connectAnthropic({ ...common, baseUrl: member.base_url });
  return connectOpenAi({ ...common, baseUrl: member.base_url ?? options.baseUrl ?? '', serverTools });
}

interface Prompts {
  readonly panel: string;
  readonly judge: string;
  readonly synthesizer: string;
}

function readPrompts(): Prompts {
  const read = (part: keyof Prompts) =>
    readFileSync(join(packageRoot(), 'data', 'prompts', `fusion-${part}.txt`), 'utf8').trimEnd();
  return { panel: read('panel'), judge: read('judge'), synthesizer: read('synthesizer') };
}

interface FusionTable {
  readonly panel: readonly Seated[];
  readonly judge: Seated;
  readonly synthesizer: Seated;
  readonly prompts: Prompts;
}

async function fuse(table: FusionTable, request: ChatRequest): Promise<Completion> {
  const { prompts } = table;
  const conversation = formatConversation(request.messages, request.tools);
  const asPanel = hasTools(request) ? readAloud(prompts.panel, conversation) : request.messages;
  const proposals = await Promise.all(
    table.panel.map((seated, index) =>
      ask(seated, request, { messages: asPanel, seed: request.seed + 101 * (index + 1) }),
    ),
  );
  const tooLong = proposals.find(isOverflow);
  if (tooLong !== undefined) return tooLong;
  const answers = proposals.filter(isAnswer);
  const candidates = answers
    .map(
      ({ text, toolCalls }, index) =>
        `<candidate number="${index + 1}">\n${formatAnswer(text, toolCalls)}\n</candidate>`,
    )
    .join('\n');
  const judged = await ask(table.judge, request, {
    messages: readAloud(prompts.judge, `${conversation}\n\n${candidates}`),
    seed: request.seed,
  });
  if (judged.type !== 'answer') return judged;
  const assessment = `${prompts.synthesizer}\n\n${candidates}\n\n<assessment>\n${judged.text}\n</assessment>`;
  const final = await ask(table.synthesizer, request, {
    messages: appendForUser(request.messages, assessment),
    seed: request.seed,
    ...(request.tools === undefined ? {} : { tools: request.tools }),
  });
  return final.type === 'answer' ? mergeAnswers(table, answers, judged, final) : final;
}

function hasTools({ tools = [], messages }: ChatRequest): boolean {
  return tools.length > 0 || messages.some(({ role }) => role === 'tool');
}

function readAloud(system: string, content: string): readonly ChatMessage[] {
  return [
    { role: 'system', content: system },
    { role: 'user', content },
  ];
}

type Question = Pick<ChatRequest, 'messages' | 'seed' | 'tools'>;

function ask({ client, member }: Seated, request: ChatRequest, question: Question): Promise<Completion> {
  const { signal, temperature, maxTokens } = request;
  return client.complete({
    ...question,
    temperature: member.temperature ?? temperature,
    maxTokens: member.max_tokens ?? maxTokens,
    ...(signal === undefined ? {} : { signal }),
  });
}

function isOverflow(completion: Completion): completion is ContextOverflow {
  return completion.type === 'context-overflow';
}

function isAnswer(completion: Completion): completion is Answer {
  return completion.type === 'answer';
}

/** Two messages of the user in a row break the templates of some models. */
function appendForUser(messages: readonly ChatMessage[], text: string): readonly ChatMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: text }];
  return [...messages.slice(0, -1), { role: 'user', content: `${last.content}\n\n${text}` }];
}

/** The synthesizer's words, the tokens and the cost of all. Token ids would be of a prompt that nobody was shown. */
function mergeAnswers(table: FusionTable, answers: readonly Answer[], judged: Answer, final: Answer): Answer {
  const all = [...answers, judged, final];
  const costs = all.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  return {
    type: 'answer',
    text: final.text,
    toolCalls: final.toolCalls,
    finishReason: final.finishReason,
    promptTokens: sum(all.map(({ promptTokens }) => promptTokens)),
    completionTokens: sum(all.map(({ completionTokens }) => completionTokens)),
    ...(costs.length === all.length ? { costUsd: costs.reduce((total, cost) => total + cost, 0) } : {}),
    parts: [
      ...answers.map((answer, index) => makePart('panel', table.panel[index]?.client.model ?? '', answer)),
      makePart('judge', table.judge.client.model, judged),
      makePart('synthesizer', table.synthesizer.client.model, final),
    ],
  };
}

function makePart(part: AnswerPart['part'], model: string, answer: Answer): AnswerPart {
  const { promptTokens, completionTokens } = answer;
  return { part, model, text: formatAnswer(answer.text, answer.toolCalls), promptTokens, completionTokens };
}

/** Null as soon as one is not known. */
function sum(counts: readonly (number | null)[]): number | null {
  return counts.reduce((total, count) => (total === null || count === null ? null : total + count), 0);
}
