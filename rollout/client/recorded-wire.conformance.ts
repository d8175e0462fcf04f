import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A local server that speaks a vendor's wire by its public schema: not the vendor, and no model. It answers what a test
 * writes, whole or as a stream, and breaks in the ways in which servers break.
 */
export interface WireServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Requests for an answer, in order; listings and pings are left out. */
  readonly calls: readonly WireCall[];
}

export interface WireCall {
  readonly path: string;
  /** The value of `authorization` or `x-api-key`. */
  readonly key: string;
  readonly body: Record<string, unknown>;
}

export type Vendor = 'openai' | 'openrouter' | 'anthropic';

/** What a model would say. */
export interface WireAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
  /** In the vendor's own words. */
  readonly finish?: string;
}

/** What the server does with one request. */
export type WireReply =
  | ({ readonly type: 'answer' } & WireAnswer)
  | {
      readonly type: 'refusal';
      readonly status: number;
      readonly message?: string;
      readonly headers?: Record<string, string>;
    }
  /** Status 200 with an error in place of the answer, as gateways send it. */
  | { readonly type: 'error-inside'; readonly code: number; readonly message: string }
  | { readonly type: 'hang' }
  /** The connection ends in the middle of this answer. */
  | ({ readonly type: 'cut' } & WireAnswer)
  | { readonly type: 'wrong-json' }
  | { readonly type: 'no-choice' };

export type WireScript = (call: WireCall, number: number) => WireReply;

export async function serveWire(vendor: Vendor, script: WireScript): Promise<WireServer> {
  const calls: WireCall[] = [];
  const server = createServer(async (request, response) => {
    const call = await readCall(request);
    if (request.method === 'GET') return send(response, { status: 200, text: modelList, streamed: false });
    calls.push(call);
    const sent = render(vendor, call.body['stream'] === true, script(call, calls.length - 1));
    if (sent !== null) send(response, sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${vendor === 'anthropic' ? '' : '/v1'}`,
    calls,
    [Symbol.asyncDispose]: () => close(server),
  };
}

const modelList = JSON.stringify({ data: [{ id: 'm', owned_by: 'wire' }] });

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function readCall(request: IncomingMessage): Promise<WireCall> {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { authorization, 'x-api-key': apiKey } = request.headers;
  return { path: request.url ?? '', key: authorization ?? String(apiKey), body: text ? JSON.parse(text) : {} };
}

/** What goes over the connection for a reply; null where nothing ever does. */
interface Sent {
  readonly status: number;
  readonly text: string;
  readonly streamed: boolean;
  readonly headers?: Record<string, string>;
  /** Whether the connection ends in the middle of the text. */
  readonly cut?: true;
}

function render(vendor: Vendor, streamed: boolean, reply: WireReply): Sent | null {
  const wire = vendor === 'anthropic' ? anthropicWire : openAiWire(vendor);
  const sendWhole = (value: unknown, events: readonly unknown[]): Sent => {
    return { status: 200, text: streamed ? formatEvents(events) : JSON.stringify(value), streamed };
  };
  switch (reply.type) {
    case 'answer':
      return sendWhole(wire.whole(reply), wire.events(reply));
    case 'cut':
      return { ...sendWhole(wire.whole(reply), wire.events(reply)), cut: true };
    case 'no-choice':
      return sendWhole(wire.empty, wire.emptyEvents);
    case 'error-inside': {
      const error = wire.error(reply.code, reply.message);
      return sendWhole(error, [error]);
    }
    case 'refusal': {
      const { status, message = 'no', headers = {} } = reply;
      return { status, text: JSON.stringify(wire.error(status, message)), streamed: false, headers };
    }
    case 'wrong-json':
      return {
        ...sendWhole(null, []),
        text: streamed ? 'event: message_start\ndata: {"oops\n\n' : '{"choices": [oops',
      };
    case 'hang':
      return null;
  }
}

/** A cut promises the whole, sends half, and closes the connection. */
function send(response: ServerResponse, { status, text, streamed, headers = {}, cut }: Sent): void {
  const type = streamed ? 'text/event-stream' : 'application/json';
  const length = streamed ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  response.writeHead(status, { 'content-type': type, ...length, ...headers });
  if (cut) response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy());
  else response.end(text);
}

/** Both protocols' events: the name is the type where the event has one. */
function formatEvents(events: readonly unknown[]): string {
  return events
    .map((event) => {
      const named = typeof event === 'object' && event !== null && 'type' in event ? `event: ${event.type}\n` : '';
      return `${named}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
    })
    .join('');
}

interface Wire {
  whole(answer: WireAnswer): unknown;
  events(answer: WireAnswer): readonly unknown[];
  error(code: number, message: string): unknown;
  readonly empty: unknown;
  readonly emptyEvents: readonly unknown[];
}

/** https://platform.openai.com/docs/api-reference/chat, with the cost that OpenRouter adds to the usage. */
function openAiWire(vendor: Vendor): Wire {
  const cost = vendor === 'openrouter' ? { cost: 0.25 } : {};
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, ...cost };
  const head = { id: 'chatcmpl-1', created: 1, model: 'm' };
  const finishOf = ({ calls = [], finish }: WireAnswer) => finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const toolCalls = ({ calls = [] }: WireAnswer) =>
    calls.map((call, index) => ({ index, id: `call_${index}`, type: 'function', function: call }));
  return {
    whole: (answer) => ({
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: finishOf(answer),
          message: {
            role: 'assistant',
            content: answer.text ?? null,
            ...(answer.calls ? { tool_calls: toolCalls(answer).map(({ index: _, ...call }) => call) } : {}),
          },
        },
      ],
      usage,
    }),
    events: (answer) => [
      ...inHalves(answer.text ?? '').map((content) => chunk(head, { content })),
      ...toolCalls(answer).flatMap(({ function: { name, arguments: text }, ...call }) => {
        const [first = '', second = ''] = inHalves(text);
        return [
          chunk(head, { tool_calls: [{ ...call, function: { name, arguments: first } }] }),
          chunk(head, { tool_calls: [{ index: call.index, function: { arguments: second } }] }),
        ];
      }),
      { ...chunk(head, {}), choices: [{ index: 0, delta: {}, finish_reason: finishOf(answer) }] },
      { ...chunk(head, {}), choices: [], usage },
      '[DONE]',
    ],
    error: (code, message) => ({ error: { message, type: 'error', code } }),
    empty: { ...head, object: 'chat.completion', choices: [], usage },
    emptyEvents: [{ ...chunk(head, {}), choices: [], usage }, '[DONE]'],
  };
}

function chunk(head: object, delta: object) {
  return { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] };
}

/** https://platform.claude.com/docs/en/api/messages and its streaming. */
const anthropicWire: Wire = {
  whole: (answer) => ({
    ...messageHead,
    content: [
      ...(answer.text === undefined ? [] : [{ type: 'text', text: answer.text }]),
      ...(answer.calls ?? []).map((call, index) => ({
        ...toolUse(call.name, index),
        input: JSON.parse(call.arguments),
      })),
    ],
    stop_reason: stopReason(answer),
    usage: { input_tokens: 3, output_tokens: 2 },
  }),
  events: (answer) => [
    {
      type: 'message_start',
      message: { ...messageHead, content: [], stop_reason: null, usage: { input_tokens: 3, output_tokens: 1 } },
    },
    { type: 'ping' },
    ...(answer.text === undefined
      ? []
      : block(
          0,
          { type: 'text', text: '' },
          inHalves(answer.text).map((text) => ({ type: 'text_delta', text })),
        )),
    ...(answer.calls ?? []).flatMap((call, index) =>
      block(
        index + 1,
        { ...toolUse(call.name, index), input: {} },
        inHalves(call.arguments).map((text) => ({ type: 'input_json_delta', partial_json: text })),
      ),
    ),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: { output_tokens: 2 },
    },
    { type: 'message_stop' },
  ],
  error: (_code, message) => ({ type: 'error', error: { type: 'api_error', message } }),
  empty: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
  emptyEvents: [],
};

const messageHead = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };

function stopReason({ calls = [], finish }: WireAnswer): string {
  return finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn');
}

function toolUse(name: string, index: number) {
  return { type: 'tool_use', id: `toolu_${index}`, name };
}

function block(index: number, head: object, deltas: readonly object[]): readonly unknown[] {
  return [
    { type: 'content_block_start', index, content_block: head },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function inHalves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
