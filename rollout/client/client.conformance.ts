import { describe, expect, test } from 'vitest';
import type { ChatRequest, ClientOptions, ModelClient, ToolDefinition } from './index.ts';
import {
  serveWire,
  type Vendor,
  type WireAnswer,
  type WireReply,
  type WireScript,
} from './recorded-wire.conformance.ts';
import type { Timer } from './timer.ts';

export interface ClientCase {
  readonly name: string;
  readonly vendor: Vendor;
  readonly connect: (baseUrl: string, options: ClientOptions) => Promise<ModelClient>;
  /** Requests that one complete() makes. @default 1 */
  readonly requestsPerAnswer?: number;
  /** @default both */
  readonly streams?: readonly boolean[];
}

/** A timer that waits for nothing and writes down what it was asked to wait. */
export class TestTimer implements Timer {
  readonly slept: number[] = [];
  readonly #timeouts: AbortController[] = [];
  #now = 0;

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.slept.push(ms);
    this.#now += ms;
  }

  timeout(): AbortSignal {
    const controller = new AbortController();
    this.#timeouts.push(controller);
    return controller.signal;
  }

  /** Lets the time of every request run out. */
  expire(): void {
    for (const controller of this.#timeouts) controller.abort(new Error('time is up'));
  }
}

export const question: ChatRequest = {
  messages: [{ role: 'user', content: 'q' }],
  temperature: null,
  maxTokens: 9,
  seed: 0,
};

const tool: ToolDefinition = {
  name: 'command',
  description: 'Runs it.',
  parameters: { type: 'object', properties: { command: { type: 'string' } } },
};

/** What every client promises over its wire, whole and streamed. */
export function describeClient(clientCase: ClientCase): void {
  describe.each(clientCase.streams ?? [false, true])(`client ${clientCase.name}, stream %s`, (stream) =>
    describeWire(clientCase, stream),
  );
}

function describeWire({ vendor, connect, requestsPerAnswer: per = 1 }: ClientCase, stream: boolean): void {
  /** A client whose start went well; `script` answers what comes then, call by call. */
  async function open(script: WireScript, options: ClientOptions = {}) {
    let begun = 0;
    let live = false;
    const server = await serveWire(vendor, (call) =>
      live ? script(call, begun++) : { type: 'answer', text: 'hello' },
    );
    const timer = new TestTimer();
    const client = await connect(server.baseUrl, { model: 'm', stream, timer, ...options });
    const before = server.calls.length;
    live = true;
    return {
      client,
      timer,
      listCalls: () => server.calls.slice(before),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }
  const says = (answer: WireAnswer): WireReply => ({ type: 'answer', ...answer });

  test('complete() gives the words, why they end and the tokens', async () => {
    await using it = await open(() => says({ text: 'yes, it is' }));
    expect(await it.client.complete(question)).toMatchObject({
      type: 'answer',
      text: 'yes, it is',
      toolCalls: [],
      finishReason: 'stop',
      promptTokens: 3 * per,
      completionTokens: 2 * per,
    });
  });

  test('complete() gives a call with its arguments as written, when the model calls a tool', async () => {
    await using it = await open(() =>
      says({ text: 'so', calls: [{ name: 'command', arguments: '{"command":"ls"}' }] }),
    );
    const answer = await it.client.complete({ ...question, tools: [tool] });
    expect(answer).toMatchObject({ text: 'so', finishReason: 'tool_calls' });
    expect(answer.type === 'answer' && answer.toolCalls).toEqual([
      { id: expect.any(String), name: 'command', arguments: '{"command":"ls"}' },
    ]);
    expect(JSON.stringify(it.listCalls().at(-1)?.body['tools'])).toContain('Runs it.');
  });

  test('complete() sends a call and its result back in the form of the wire', async () => {
    await using it = await open(() => says({ text: 'ok' }));
    const call = { id: 'c1', name: 'command', arguments: '{"command":"ls"}' };
    await it.client.complete({
      ...question,
      tools: [tool],
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'q' },
        { role: 'assistant', content: '', toolCalls: [call] },
        { role: 'tool', content: 'a.txt', toolCallId: 'c1' },
      ],
    });
    const sent = JSON.stringify(it.listCalls().at(-1)?.body);
    expect(sent).toContain('"c1"');
    expect(sent).toContain('a.txt');
  });

  test.each([
    [{ 'retry-after': '7' }, 7_000, 7_000],
    [{ 'retry-after-ms': '25' }, 25, 25],
    [{}, 375, 500],
  ])('complete() repeats after the hint, when the server answers 429 with %j', async (headers, least, most) => {
    await using it = await open((_, n) =>
      n === 0 ? { type: 'refusal', status: 429, headers } : says({ text: 'now' }),
    );
    expect(await it.client.complete(question)).toMatchObject({ text: 'now' });
    expect(it.timer.slept).toEqual([expect.toSatisfy((ms: number) => ms >= least && ms <= most)]);
    expect(it.listCalls()).toHaveLength(1 + per);
  });

  test('complete() gives up at once, when the hint is longer than the time of the request', async () => {
    await using it = await open(() => ({ type: 'refusal', status: 429, headers: { 'retry-after': '3600' } }));
    await expect(it.client.complete(question)).rejects.toMatchObject({
      code: 'E_MODEL_REFUSED',
      boundary: 'model',
      message: expect.stringContaining('3600 s'),
    });
    expect(it.timer.slept).toEqual([]);
  });

  test.each([
    ['E_MODEL_REFUSED', { type: 'refusal', status: 500 }],
    ['E_MODEL_REFUSED', { type: 'error-inside', code: 502, message: 'provider down' }],
    ['E_MODEL_ANSWER', { type: 'wrong-json' }],
    ['E_MODEL_UNREACHABLE', { type: 'cut', text: 'a rather long answer that is never sent to its end' }],
  ] as const)('complete() repeats within the bound, then throws %s, when all answers are %j', async (code, reply) => {
    await using it = await open(() => reply, { maxRetries: 2 });
    const error = await it.client.complete(question).catch((reason: unknown) => reason);
    // Over a wire without errors inside a whole answer, one is an answer of another form.
    const expected = vendor === 'anthropic' && reply.type === 'error-inside' && !stream ? 'E_MODEL_ANSWER' : code;
    expect(error).toMatchObject({ code: expected, boundary: 'model' });
    expect(it.timer.slept.length).toBeGreaterThanOrEqual(2);
    expect(it.timer.slept.slice(0, 2)).toSatisfy((waits: number[]) => waits.every((ms) => ms > 300 && ms <= 1_000));
  });

  test('complete() throws what came, within the bound, when there is no choice in it', async () => {
    await using it = await open(() => ({ type: 'no-choice' }), { maxRetries: 1 });
    const code = expect.stringMatching(/E_MODEL_(ANSWER|UNREACHABLE)/);
    await expect(it.client.complete(question)).rejects.toMatchObject({ code, boundary: 'model' });
    expect(it.listCalls().length).toBeLessThanOrEqual(2 * per);
  });

  test('complete() takes the answer of a repeat, when the first was cut', async () => {
    await using it = await open((_, n) =>
      n === 0 ? { type: 'cut', text: 'half an answer' } : says({ text: 'whole' }),
    );
    expect(await it.client.complete(question)).toMatchObject({ text: 'whole' });
  });

  test('complete() throws E_MODEL_TIMEOUT without a repeat, when the server hangs', async () => {
    await using it = await open(() => {
      queueMicrotask(() => it.timer.expire());
      return { type: 'hang' };
    });
    await expect(it.client.complete(question)).rejects.toMatchObject({ code: 'E_MODEL_TIMEOUT', boundary: 'model' });
    expect(it.timer.slept).toEqual([]);
  });

  test('complete() throws the reason of its signal, when that aborts while the server hangs', async () => {
    const controller = new AbortController();
    await using it = await open(() => {
      queueMicrotask(() => controller.abort(new Error('enough')));
      return { type: 'hang' };
    });
    await expect(it.client.complete({ ...question, signal: controller.signal })).rejects.toThrow('enough');
  });

  test.each([
    "This model's maximum context length is 2048 tokens. However, you requested 2089 tokens",
    "'max_tokens' is too large: 512. This model's maximum context length is 2048 tokens (512 > 2048 - 5000)",
    'prompt is too long: 208310 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
  ])('complete() returns context-overflow without a repeat, when the server says: %s', async (message) => {
    await using it = await open(() => ({ type: 'refusal', status: 400, message }));
    expect(await it.client.complete(question)).toMatchObject({ type: 'context-overflow' });
    expect(it.timer.slept).toEqual([]);
  });

  test('complete() hides the key, when the server repeats it in an error', async () => {
    process.env['MUXGYM_TEST_KEY'] = 'sk-very-secret-key';
    await using it = await open(() => ({ type: 'refusal', status: 400, message: 'bad key sk-very-secret-key' }), {
      apiKeyEnv: 'MUXGYM_TEST_KEY',
    });
    const error = (await it.client.complete(question).catch((reason: unknown) => reason)) as Error;
    delete process.env['MUXGYM_TEST_KEY'];
    expect(error.message).toContain('(key)');
    expect(error.message).not.toContain('very-secret');
  });

  test('connect throws E_MODEL, E_API_KEY or E_MODEL_REFUSED, when the first request is refused', async () => {
    for (const [status, code] of [
      [404, 'E_MODEL'],
      [401, 'E_API_KEY'],
      [500, 'E_MODEL_REFUSED'],
    ] as const) {
      await using server = await serveWire(vendor, () => ({ type: 'refusal', status }));
      const timer = new TestTimer();
      await expect(connect(server.baseUrl, { model: 'm', stream, timer })).rejects.toMatchObject({ code });
    }
  });

  test('requireTools() is satisfied by a call', async () => {
    await using it = await open(() => says({ calls: [{ name: 'ready', arguments: '{}' }] }));
    await it.client.requireTools();
  });

  test.each([
    [
      'a 400 that names the flags',
      {
        type: 'refusal',
        status: 400,
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      },
    ],
    ['a call as text', { type: 'answer', text: '<tool_call>\n{"name": "ready", "arguments": {}}\n</tool_call>' }],
    ['words', { type: 'answer', text: 'I am ready!' }],
  ] as const)('requireTools() throws E_TOOLS with the flags, when the answer is %s', async (_, reply) => {
    await using it = await open(() => reply);
    const error = (await it.client.requireTools().catch((reason: unknown) => reason)) as Error & {
      facts: { hint: string };
    };
    expect(error).toMatchObject({ code: 'E_TOOLS' });
    expect(error.facts.hint).toContain('--enable-auto-tool-choice --tool-call-parser');
    expect(error.facts.hint).toContain('--loop text');
  });

  test('isReachable() tells whether anybody answers', async () => {
    const it = await open(() => says({ text: 'x' }));
    expect(await it.client.isReachable()).toBe(true);
    await it[Symbol.asyncDispose]();
    expect(await it.client.isReachable()).toBe(false);
  });
}
