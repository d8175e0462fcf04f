import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { question, TestTimer } from './client.conformance.ts';
import { connectFusion, readFusionPreset } from './index.ts';
import { serveWire, type WireServer } from './recorded-wire.conformance.ts';

const servers: WireServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
});

const tool = { name: 'command', description: 'Runs it.', parameters: { type: 'object', properties: {} } };

async function connectSelf() {
  const server = await serveWire('openrouter', ({ body }, n) => {
    const text = JSON.stringify(body['messages']);
    if (n < 5) return { type: 'answer', text: 'hello' };
    if (text.includes('Below are candidates')) return { type: 'answer', text: 'the answer' };
    return { type: 'answer', text: text.includes('<candidate') ? 'the first is right' : `candidate ${body['seed']}` };
  });
  servers.push(server);
  const client = await connectFusion({
    preset: readFusionPreset('self'),
    baseUrl: server.baseUrl,
    timer: new TestTimer(),
  });
  return { client, listCalls: () => server.calls.slice(5).map(({ body }) => body) };
}

describe('connectFusion()', () => {
  test('asks the panel with other seeds, then the judge, then the synthesizer, and keeps what each wrote', async () => {
    const { client, listCalls } = await connectSelf();
    const answer = await client.complete({ ...question, seed: 5 });
    expect(answer).toMatchObject({
      text: 'the answer',
      promptTokens: 15,
      completionTokens: 10,
      costUsd: 1.25,
      parts: [
        { part: 'panel', model: 'm', text: 'candidate 106' },
        { part: 'panel', model: 'm', text: 'candidate 207' },
        { part: 'panel', model: 'm', text: 'candidate 308' },
        { part: 'judge', text: 'the first is right' },
        { part: 'synthesizer', text: 'the answer' },
      ],
    });
    expect(listCalls().map((body) => body['temperature'])).toEqual([0.8, 0.8, 0.8, 0, 0]);
    expect(JSON.stringify(listCalls().at(-1))).toContain('the first is right');
  });

  test('offers tools to the synthesizer alone', async () => {
    const { client, listCalls } = await connectSelf();
    await client.complete({ ...question, tools: [tool] });
    expect(listCalls().map((body) => 'tools' in body)).toEqual([false, false, false, false, true]);
    expect(JSON.stringify(listCalls()[0])).toContain('Runs it.');
  });

  test('sends the tool of the gateway as it is, when the preset is one', async () => {
    const server = await serveWire('openai', () => ({ type: 'answer', text: 'fused' }));
    servers.push(server);
    const { plan, ...preset } = readFusionPreset('trustedrouter-quality');
    if (!('gateway' in plan)) throw new Error('no gateway');
    const gateway = { ...plan.gateway, base_url: server.baseUrl };
    const client = await connectFusion({ preset: { ...preset, plan: { gateway } }, timer: new TestTimer() });
    expect(await client.complete(question)).toMatchObject({ text: 'fused' });
    expect(server.calls.at(-1)?.body).toMatchObject({
      model: 'trustedrouter/synth',
      tools: [{ type: 'trustedrouter:synth', parameters: { preset: 'quality' } }],
    });
  });
});

describe('readFusionPreset()', () => {
  test.each(['self', 'openrouter', 'trustedrouter-quality', 'trustedrouter-budget'])('reads the bundled %s', (name) => {
    expect(readFusionPreset(name)).toMatchObject({ name, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test.each([
    ['a key of a server', '[judge]\nclient = "openai"\napi_key = "sk-1"\n', /api_key/],
    ['no TOML', '[judge\n', /E_PRESET|TOML/],
    ['an unknown client', '[gateway]\nclient = "mine"\n', /client/],
  ])('throws E_PRESET with the place, when the file holds %s', (_, text, found) => {
    const path = join(mkdtempSync(join(tmpdir(), 'muxgym-fusion-')), 'bad.toml');
    writeFileSync(path, text);
    const read = () => readFusionPreset(path);
    expect(read).toThrow(expect.objectContaining({ code: 'E_PRESET' }));
    expect(read).toThrow(found);
    rmSync(join(path, '..'), { recursive: true });
  });
});
