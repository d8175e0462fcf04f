import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { BoundaryError, InputError } from '../../env/index.ts';
import { connectOpenAi } from './index.ts';

interface Call {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
}
type Reply = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> };

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/**
 * A server that speaks the protocol; `chat` answers the n-th chat request, the one at connect() being number 0. Its list
 * of models is answered by `models` in turn, and by the last of them from then on.
 */
async function serve(chat: (call: Call, n: number) => Reply | 'never', ...models: readonly Reply[]) {
  const calls: Call[] = [];
  const lists = [...models];
  const server = createServer(async (request, response) => {
    const call = await readCall(request);
    if (call.path === '/v1/models')
      return answer(response, (lists.length > 1 ? lists.shift() : lists[0]) ?? listOf('m'));
    calls.push(call);
    const reply = chat(call, calls.length - 1);
    if (reply !== 'never') answer(response, reply);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, calls, server };
}

async function readCall(request: IncomingMessage): Promise<Call> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return { path: request.url ?? '', key: request.headers.authorization, body: text ? JSON.parse(text) : {} };
}

function answer(response: ServerResponse, { status, body = {}, headers = {} }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function listOf(id: string, owner = 'someone'): Reply {
  return { status: 200, body: { data: [{ id, owned_by: owner }] } };
}

function says(content: string, extra: object = {}): Reply {
  const choices = [{ message: { content }, finish_reason: 'stop', ...extra }];
  return { status: 200, body: { choices, usage: { prompt_tokens: 3, completion_tokens: 2 } } };
}

const question = { messages: [{ role: 'user', content: 'q' }], temperature: 0, maxTokens: 9, seed: 5 } as const;

describe('connectOpenAi()', () => {
  test('takes the only model of the list and sends common fields alone, when the server is not vLLM', async () => {
    const { baseUrl, calls } = await serve(() => says('yes'));
    const client = await connectOpenAi({ baseUrl });
    expect(client.model).toBe('m');
    expect(await client.complete(question)).toEqual({
      type: 'answer',
      text: 'yes',
      toolCalls: [],
      finishReason: 'stop',
      promptTokens: 3,
      completionTokens: 2,
    });
    expect(Object.keys(calls[1]!.body).sort()).toEqual(['max_tokens', 'messages', 'model', 'stream', 'temperature']);
  });

  test('asks for and keeps token ids and logprobs, when the server is vLLM', async () => {
    const reply = says('a', { token_ids: [7, 8], logprobs: { content: [{ logprob: -0.5 }, { logprob: -1 }] } });
    const { baseUrl, calls } = await serve(() => reply, listOf('m', 'vllm'));
    const client = await connectOpenAi({ baseUrl });
    const answer = await client.complete({ ...question, temperature: 1 });
    expect(answer).toMatchObject({ tokenIds: [7, 8], logprobs: [-0.5, -1] });
    expect(calls[1]!.body).toMatchObject({ logprobs: true, return_token_ids: true, seed: 5 });
  });

  test('sends the key of the named variable and "none" without it, never another', async () => {
    const { baseUrl, calls } = await serve(() => says('yes'));
    process.env['MUXGYM_TEST_KEY'] = 'sesame';
    await connectOpenAi({ baseUrl, apiKeyEnv: 'MUXGYM_TEST_KEY' });
    delete process.env['MUXGYM_TEST_KEY'];
    await connectOpenAi({ baseUrl, apiKeyEnv: 'MUXGYM_TEST_KEY' });
    expect(calls.map(({ key }) => key)).toEqual(['Bearer sesame', 'Bearer none']);
  });

  test('throws E_MODEL with the names, when several models are listed and none is given', async () => {
    const two = { status: 200, body: { data: [{ id: 'a' }, { id: 'b' }] } };
    const { baseUrl } = await serve(() => says('yes'), two);
    await expect(connectOpenAi({ baseUrl })).rejects.toThrow(/2 models, such as "a", "b"/);
    expect((await connectOpenAi({ baseUrl, model: 'b' })).model).toBe('b');
  });

  test('takes the named model, when the server cannot list', async () => {
    const { baseUrl } = await serve(() => says('yes'), { status: 500 });
    expect((await connectOpenAi({ baseUrl, model: 'path/of/it' })).model).toBe('path/of/it');
  });

  test('asks for the list again, when the server is busy at first, so that vLLM is known as such', async () => {
    const busy = { status: 503, headers: { 'retry-after-ms': '1' } };
    const { baseUrl, calls } = await serve(() => says('yes'), busy, listOf('m', 'vllm'));
    await (await connectOpenAi({ baseUrl, model: 'm' })).complete(question);
    expect(calls[1]!.body).toMatchObject({ return_token_ids: true });
  });

  test('takes the named model, when the server is busy with its list for good', async () => {
    const busy = { status: 429, headers: { 'retry-after-ms': '1' } };
    const { baseUrl } = await serve(() => says('yes'), busy);
    expect((await connectOpenAi({ baseUrl, model: 'm', maxRetries: 1 })).model).toBe('m');
  });

  test('tells an error or another form of the list as such, when no model is named', async () => {
    const failing = await serve(() => says('yes'), { status: 500, body: { error: { message: 'no cache' } } });
    const failure = connectOpenAi({ baseUrl: failing.baseUrl, maxRetries: 0 });
    await expect(failure).rejects.toMatchObject({
      code: 'E_MODEL_REFUSED',
      message: expect.stringContaining('no cache'),
    });
    const foreign = await serve(() => says('yes'), { status: 200, body: { models: ['m'] } });
    const misread = connectOpenAi({ baseUrl: foreign.baseUrl, maxRetries: 0 });
    await expect(misread).rejects.toMatchObject({ code: 'E_MODEL_ANSWER' });
    expect((await connectOpenAi({ baseUrl: foreign.baseUrl, model: 'm' })).model).toBe('m');
  });

  test('throws E_MODEL with the words of the server, when it refuses the first request', async () => {
    const { baseUrl } = await serve(() => ({ status: 404, body: { error: { message: 'no such model' } } }));
    const error = await connectOpenAi({ baseUrl, model: 'x' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: 'E_MODEL', message: expect.stringContaining('no such model') });
  });

  test('throws E_API_KEY naming the variable, when the server answers 401', async () => {
    const { baseUrl } = await serve(() => says('yes'), { status: 401 });
    await expect(connectOpenAi({ baseUrl, apiKeyEnv: 'MUXGYM_TEST_KEY' })).rejects.toMatchObject({
      code: 'E_API_KEY',
      message: expect.stringContaining('MUXGYM_TEST_KEY'),
    });
  });

  test('throws E_MODEL_UNREACHABLE as broken machinery, when nobody listens', async () => {
    const { baseUrl, server } = await serve(() => says('yes'));
    await new Promise((resolve) => server.close(resolve));
    const error = await connectOpenAi({ baseUrl, maxRetries: 0 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BoundaryError);
    expect(error).toMatchObject({ code: 'E_MODEL_UNREACHABLE', boundary: 'model' });
  });

  test('throws E_BASE_URL, when the address is no URL', async () => {
    await expect(connectOpenAi({ baseUrl: 'localhost:8000' })).rejects.toMatchObject({ code: 'E_BASE_URL' });
  });
});

describe('complete()', () => {
  test('repeats a refused request as the server hints, when it answers 429 and 503', async () => {
    const busy = (status: number) => ({ status, headers: { 'retry-after-ms': '1' } });
    const { baseUrl, calls } = await serve((_, n) => (n === 1 ? busy(429) : n === 2 ? busy(503) : says(`try ${n}`)));
    const client = await connectOpenAi({ baseUrl });
    expect(await client.complete(question)).toMatchObject({ text: 'try 3' });
    expect(calls).toHaveLength(4);
  });

  test('gives up with E_MODEL_REFUSED after the bound, when the server stays overloaded', async () => {
    const { baseUrl, calls } = await serve((_, n) =>
      n === 0 ? says('hi') : { status: 500, headers: { 'retry-after-ms': '1' } },
    );
    const client = await connectOpenAi({ baseUrl, maxRetries: 2 });
    await expect(client.complete(question)).rejects.toMatchObject({ code: 'E_MODEL_REFUSED', boundary: 'model' });
    expect(calls).toHaveLength(4);
  });

  test.each([
    ["This model's maximum context length is 2048 tokens. However, you requested 2089 tokens"],
    ["'max_tokens' is too large: 512. This model's maximum context length is 2048 tokens (512 > 2048 - 5000)"],
    ['the request exceeds the available context size, try increasing it'],
  ])('returns context-overflow without a repeat, when the server says: %s', async (message) => {
    const { baseUrl, calls } = await serve((_, n) =>
      n === 0 ? says('hi') : { status: 400, body: { error: { message } } },
    );
    const client = await connectOpenAi({ baseUrl });
    expect(await client.complete(question)).toMatchObject({ type: 'context-overflow' });
    expect(calls).toHaveLength(2);
  });

  test('throws E_MODEL_ANSWER, when the answer has no choice', async () => {
    const { baseUrl } = await serve((_, n) => (n === 0 ? says('hi') : { status: 200, body: { choices: [] } }));
    const client = await connectOpenAi({ baseUrl, maxRetries: 0 });
    await expect(client.complete(question)).rejects.toMatchObject({ code: 'E_MODEL_ANSWER' });
  });

  test('throws E_MODEL_TIMEOUT without a repeat, when the server takes too long', async () => {
    const { baseUrl, calls } = await serve((_, n) => (n === 0 ? says('hi') : 'never'));
    const client = await connectOpenAi({ baseUrl, requestTimeoutMs: 200 });
    await expect(client.complete(question)).rejects.toMatchObject({ code: 'E_MODEL_TIMEOUT', boundary: 'model' });
    expect(calls).toHaveLength(2);
  });

  test('throws the reason of its signal, when that aborts under way', async () => {
    const controller = new AbortController();
    const { baseUrl } = await serve((_, n) => {
      if (n > 0) controller.abort(new Error('enough'));
      return n > 0 ? { status: 500, headers: { 'retry-after-ms': '60000' } } : says('hi');
    });
    const client = await connectOpenAi({ baseUrl });
    await expect(client.complete({ ...question, signal: controller.signal })).rejects.toThrow('enough');
  });
});
