import { afterEach, expect, test } from 'vitest';
import { TestTimer } from './client.conformance.ts';
import { connectOpenAi } from './index.ts';
import { serveWire, type WireReply, type WireServer } from './recorded-wire.conformance.ts';

/** BR-45 (vllm#9986, vllm#30613): a server without the tool flags, asked for tool calls. */
const refusal: WireReply = {
  type: 'refusal',
  status: 400,
  message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
};
const asText: WireReply = { type: 'answer', text: '{"name": "ready", "parameters": {}}' };

let server: WireServer;
afterEach(() => server[Symbol.asyncDispose]());

test.each([
  ['every request with tools is refused', refusal],
  ['calls come back as text', asText],
])('requireTools() finds it before anything is played and names the flags, when %s', async (_, reply) => {
  server = await serveWire('openai', ({ body }) => ('tools' in body ? reply : { type: 'answer', text: 'hello' }));
  const client = await connectOpenAi({ baseUrl: server.baseUrl, timer: new TestTimer() });
  await expect(client.requireTools()).rejects.toMatchObject({
    name: 'InputError',
    code: 'E_TOOLS',
    facts: { hint: expect.stringContaining('--enable-auto-tool-choice --tool-call-parser') },
  });
  expect(server.calls.length).toBeLessThanOrEqual(4);
});
