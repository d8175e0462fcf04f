import { z } from 'zod';
import { CutAnswer } from './failure.ts';

const chunkSchema = z.looseObject({
  prompt_token_ids: z.array(z.int()).nullish(),
  usage: z.unknown().optional(),
  choices: z
    .array(
      z.looseObject({
        index: z.int().nullish(),
        delta: z
          .looseObject({
            content: z.string().nullish(),
            tool_calls: z
              .array(
                z.looseObject({
                  index: z.int().nullish(),
                  id: z.string().nullish(),
                  function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
        token_ids: z.array(z.int()).nullish(),
        logprobs: z.looseObject({ content: z.array(z.looseObject({ logprob: z.number() })).nullish() }).nullish(),
        error: z.unknown().optional(),
      }),
    )
    .nullish(),
});
type Choice = NonNullable<z.infer<typeof chunkSchema>['choices']>[number];

interface PartialCall {
  id: string;
  name: string;
  arguments: string;
}

/** What the chunks so far came to; made into the body of a whole completion at the end. */
interface Draft {
  content: string;
  readonly calls: PartialCall[];
  finishReason: string | null;
  promptTokenIds: readonly number[] | null;
  tokenIds: number[] | null;
  logprobs: { readonly logprob: number }[] | null;
  usage: unknown;
  error: unknown;
}

/**
 * The chunks of a streamed completion as the body of a whole one, token ids and logprobs included. Throws CutAnswer for
 * a stream that ends before it says why.
 */
export async function foldChunks(chunks: AsyncIterable<unknown>): Promise<unknown> {
  const draft: Draft = {
    content: '',
    calls: [],
    finishReason: null,
    promptTokenIds: null,
    tokenIds: null,
    logprobs: null,
    usage: null,
    error: undefined,
  };
  for await (const chunk of chunks) addChunk(draft, chunk);
  if (draft.finishReason === null && draft.error === undefined) {
    throw new CutAnswer('the stream ended before the answer did');
  }
  return makeBody(draft);
}

function addChunk(draft: Draft, chunk: unknown): void {
  const { choices, usage, prompt_token_ids } = chunkSchema.parse(chunk);
  draft.usage = usage ?? draft.usage;
  draft.promptTokenIds ??= prompt_token_ids ?? null;
  const choice = choices?.find(({ index }) => (index ?? 0) === 0);
  if (choice !== undefined) addChoice(draft, choice);
}

function addChoice(draft: Draft, { delta, finish_reason, token_ids, logprobs, error }: Choice): void {
  draft.content += delta?.content ?? '';
  draft.finishReason = finish_reason ?? draft.finishReason;
  draft.error ??= error ?? undefined;
  if (token_ids) draft.tokenIds = [...(draft.tokenIds ?? []), ...token_ids];
  if (logprobs?.content) draft.logprobs = [...(draft.logprobs ?? []), ...logprobs.content];
  for (const { index, id, function: part } of delta?.tool_calls ?? []) {
    const call = callAt(draft.calls, index ?? Math.max(0, draft.calls.length - 1));
    call.id ||= id ?? '';
    call.name ||= part?.name ?? '';
    call.arguments += part?.arguments ?? '';
  }
}

function callAt(calls: PartialCall[], index: number): PartialCall {
  const known = calls[index];
  if (known !== undefined) return known;
  const call = { id: '', name: '', arguments: '' };
  calls[Math.min(index, calls.length)] = call;
  return call;
}

function makeBody(draft: Draft): unknown {
  const calls = draft.calls.map(({ id, name, arguments: text }) => ({ id, function: { name, arguments: text } }));
  return {
    prompt_token_ids: draft.promptTokenIds,
    usage: draft.usage,
    choices: [
      {
        message: { content: draft.content, tool_calls: calls },
        finish_reason: draft.finishReason,
        token_ids: draft.tokenIds,
        logprobs: draft.logprobs === null ? null : { content: draft.logprobs },
        ...(draft.error === undefined ? {} : { error: draft.error }),
      },
    ],
  };
}
