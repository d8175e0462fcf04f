import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePolicy, policyForms } from './index.ts';
import { openOptions } from './policy.conformance.ts';

describe('makePolicy()', () => {
  test.each(['gpt', '', 'oracle:', 'oracle:x', 'noop:1', 'script', 'script:', 'replay', 'toString'])(
    'throws E_POLICY, when the name is "%s"',
    (name) => {
      expect(() => makePolicy(name)).toThrow(expect.objectContaining({ code: 'E_POLICY' }));
    },
  );

  test('open() throws E_REPLAY naming the key, when the folder of a replay has none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'muxgym-replay-'));
    writeFileSync(join(folder, 'episodes.jsonl'), '');
    const opened = makePolicy(`replay:${folder}`).open(openOptions([]));
    await expect(opened).rejects.toMatchObject({ code: 'E_REPLAY', message: expect.stringContaining('run.key') });
    rmSync(folder, { recursive: true });
  });

  test('lists every form in its message', () => {
    expect(() => makePolicy('gpt')).toThrow(policyForms.join(', '));
  });

  test('throws E_SCRIPT, when the file is missing or too long', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muxgym-script-'));
    const path = join(folder, 'long.sh');
    writeFileSync(path, '#'.repeat(300_000));
    expect(() => makePolicy(`script:${path}`)).toThrow(expect.objectContaining({ code: 'E_SCRIPT' }));
    rmSync(folder, { recursive: true });
    expect(() => makePolicy(`script:${path}`)).toThrow(expect.objectContaining({ code: 'E_SCRIPT' }));
  });

  test('throws E_BASE_URL, when a model has no place or two', () => {
    const code = expect.objectContaining({ code: 'E_BASE_URL' });
    const kept = process.env['OPENAI_BASE_URL'];
    delete process.env['OPENAI_BASE_URL'];
    expect(() => makePolicy('openai')).toThrow(code);
    expect(() => makePolicy('openai', { baseUrl: 'http://127.0.0.1:1', checkpoint: '/tmp' })).toThrow(code);
    if (kept !== undefined) process.env['OPENAI_BASE_URL'] = kept;
  });

  test('throws E_CHECKPOINT and E_LOOP, when the folder or the loop is none', () => {
    expect(() => makePolicy('openai', { checkpoint: '/no/such/folder' })).toThrow(
      expect.objectContaining({ code: 'E_CHECKPOINT' }),
    );
    expect(() => makePolicy('openai', { baseUrl: 'http://127.0.0.1:1', loop: 'tools' })).toThrow(
      expect.objectContaining({ code: 'E_LOOP' }),
    );
  });

  test.each([
    ['oracle', { loop: 'text' }, '--loop'],
    ['noop', { maxTokens: 5 }, '--answer-tokens'],
    ['anthropic', { model: 'm', checkpoint: '/x' }, '--checkpoint'],
    ['fusion', { preset: 'self', model: 'm' }, '--model'],
    ['scaffold', { scaffold: 'true', temperature: 0 }, '--temperature'],
  ])('throws E_POLICY naming the flag, when %s is given %j', (name, options, flag) => {
    expect(() => makePolicy(name, options)).toThrow(expect.objectContaining({ code: 'E_POLICY' }));
    expect(() => makePolicy(name, options)).toThrow(`found ${flag}`);
  });

  test.each([
    ['openai', { baseUrl: 'http://127.0.0.1:1', loop: 'scaffold' }, 'E_SCAFFOLD'],
    ['openai', { baseUrl: 'http://127.0.0.1:1', loop: 'text', scaffold: 'true' }, 'E_SCAFFOLD'],
    ['scaffold', {}, 'E_SCAFFOLD'],
    ['anthropic', {}, 'E_MODEL'],
    ['fusion', {}, 'E_PRESET'],
    ['fusion', { preset: 'no-such' }, 'E_PRESET'],
  ])('throws its code, when %s is given %j', (name, options, code) => {
    expect(() => makePolicy(name, options)).toThrow(expect.objectContaining({ code }));
  });

  test('leaves the temperature to the server by default, when the policy is anthropic or fusion', () => {
    expect(makePolicy('anthropic', { model: 'm' }).config['temperature']).toBeNull();
    expect(makePolicy('fusion', { preset: 'trustedrouter-budget' }).config['temperature']).toBeNull();
    expect(makePolicy('openai', { baseUrl: 'http://127.0.0.1:1' }).config['temperature']).toBe(0);
  });

  test('keeps a password of the address out of the configuration', () => {
    const { config, context } = makePolicy('openai', { baseUrl: 'http://me:secret@127.0.0.1:1/v1?key=secret' });
    expect(JSON.stringify({ config, context })).not.toContain('secret');
    expect(context['base_url']).toBe('http://127.0.0.1:1/v1');
  });
});
