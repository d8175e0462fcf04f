import { describe, expect, test } from 'vitest';
import { fillTemplate, makeRunKey, makeSecrets, parseRunKey, type TaskHash } from './index.ts';

const key = parseRunKey('ab'.repeat(32));
const hash = 'c306b4f39b7adafe819ca2924e940634724e6bb9c67e6c57e0717bb2993e22d4' as TaskHash;

describe('makeSecrets()', () => {
  test('gives the recorded secrets, when key, task and sample are fixed', () => {
    expect(makeSecrets(key, hash, 0, 3)).toEqual(['d629f7fc', '72fc39e0', '8cfd25bd']);
    expect(makeSecrets(key, hash, 1, 3)).toEqual(['dfe8a4d6', '3f5def47', '9fc76169']);
  });

  test('differs by slot, sample, task and key', () => {
    const other = hash.replace('c', 'd') as TaskHash;
    const all = [
      ...makeSecrets(key, hash, 0, 64),
      ...makeSecrets(key, hash, 1, 64),
      ...makeSecrets(key, other, 0, 64),
      ...makeSecrets(parseRunKey('cd'.repeat(32)), hash, 0, 64),
    ];
    expect(new Set(all).size).toBe(256);
    for (const secret of all) expect(secret).toMatch(/^[0-9a-f]{8}$/);
  });

  test('gives a prefix, when fewer are asked for', () => {
    expect(makeSecrets(key, hash, 0, 2)).toEqual(makeSecrets(key, hash, 0, 5).slice(0, 2));
    expect(makeSecrets(key, hash, 0, 0)).toEqual([]);
  });
});

describe('makeRunKey()', () => {
  test('draws keys that parse and differ', () => {
    const keys = Array.from({ length: 20 }, makeRunKey);
    for (const drawn of keys) expect(parseRunKey(drawn)).toBe(drawn);
    expect(new Set(keys).size).toBe(20);
  });
});

describe('parseRunKey()', () => {
  test.each(['', 'ab', 'AB'.repeat(32), `${'ab'.repeat(32)}\n`, `0x${'ab'.repeat(31)}`, 'zz'.repeat(32)])(
    'throws a RangeError, when the text is %j',
    (text) => {
      expect(() => parseRunKey(text)).toThrow(RangeError);
    },
  );
});

describe('fillTemplate()', () => {
  const secrets = ['aaaa0000', 'bbbb1111'];

  test('fills every slot and leaves the rest alone', () => {
    expect(fillTemplate('x {{slot:1}}-{{slot:0}} {{slot:1}} {slot:0} $& {{other}}', secrets)).toBe(
      'x bbbb1111-aaaa0000 bbbb1111 {slot:0} $& {{other}}',
    );
    expect(fillTemplate('none', [])).toBe('none');
  });

  test('does not fill again what a secret contains', () => {
    expect(fillTemplate('{{slot:0}}', ['{{slot:1}}', 'leak'])).toBe('{{slot:1}}');
  });

  test('throws a RangeError that names the slot, when there is no such secret', () => {
    expect(() => fillTemplate('{{slot:2}}', secrets)).toThrow(/slot 2: the task has 2 slots/);
    expect(() => fillTemplate('{{slot:0}}', [])).toThrow(RangeError);
  });
});
