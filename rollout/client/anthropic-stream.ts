import { z } from 'zod';
import { CutAnswer } from './failure.ts';

const eventSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('message_start'),
    message: z.looseObject({ usage: z.looseObject({}).nullish() }),
  }),
  z.looseObject({
    type: z.literal('content_block_start'),
    index: z.int(),
    content_block: z.looseObject({ type: z.string() }),
  }),
  z.looseObject({
    type: z.literal('content_block_delta'),
    index: z.int(),
    delta: z.looseObject({
      type: z.string(),
      text: z.string().nullish(),
      partial_json: z.string().nullish(),
    }),
  }),
  z.looseObject({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: z.string().nullish() }),
    usage: z.looseObject({}).nullish(),
  }),
  z.looseObject({ type: z.literal('content_block_stop') }),
  z.looseObject({ type: z.literal('message_stop') }),
]);
type Event = z.infer<typeof eventSchema>;

const knownTypes: ReadonlySet<string> = new Set(eventSchema.options.map((option) => option.shape.type.value));

interface Block {
  readonly head: Readonly<Record<string, unknown>>;
  text: string;
  /** What was written of a call's input; not parsed, so that a piece never passes for the whole. */
  json: string;
}

interface Draft {
  readonly blocks: Map<number, Block>;
  message: Readonly<Record<string, unknown>>;
  usage: Readonly<Record<string, unknown>>;
  stopReason: string | null;
  stopped: boolean;
}

/**
 * The events of a streamed message as the body of a whole one, with the input of each call as its text. Throws CutAnswer
 * for a stream that ends before the message does.
 */
export async function foldEvents(events: AsyncIterable<unknown>): Promise<unknown> {
  const draft: Draft = { blocks: new Map(), message: {}, usage: {}, stopReason: null, stopped: false };
  for await (const event of events) {
    if (isKnown(event)) addEvent(draft, eventSchema.parse(event));
  }
  if (!draft.stopped || draft.stopReason === null) throw new CutAnswer('the stream ended before the answer did');
  const blocks = [...draft.blocks].sort(([a], [b]) => a - b).map(([, block]) => makeBlock(block));
  return { ...draft.message, content: blocks, stop_reason: draft.stopReason, usage: draft.usage };
}

/** The protocol says that new kinds of events may come and are to be passed over. */
function isKnown(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'type' in event && knownTypes.has(String(event.type));
}

function addEvent(draft: Draft, event: Event): void {
  switch (event.type) {
    case 'message_start':
      draft.message = event.message;
      draft.usage = { ...event.message.usage };
      return;
    case 'content_block_start':
      draft.blocks.set(event.index, { head: event.content_block, text: '', json: '' });
      return;
    case 'content_block_delta': {
      const block = draft.blocks.get(event.index);
      if (block === undefined) throw new SyntaxError('a piece of a block that was never begun');
      block.text += event.delta.text ?? '';
      block.json += event.delta.partial_json ?? '';
      return;
    }
    case 'message_delta':
      draft.stopReason = event.delta.stop_reason ?? draft.stopReason;
      draft.usage = { ...draft.usage, ...event.usage };
      return;
    case 'message_stop':
      draft.stopped = true;
      return;
    case 'content_block_stop':
      return;
  }
}

function makeBlock({ head, text, json }: Block): unknown {
  if (head['type'] === 'text') return { ...head, text: `${head['text'] ?? ''}${text}` };
  if (head['type'] === 'tool_use') return { ...head, input: json === '' ? (head['input'] ?? {}) : json };
  return head;
}
