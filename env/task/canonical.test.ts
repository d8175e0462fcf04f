import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, hashCanonical } from './canonical.ts';

/** Any data that JSON holds, with strings and keys of every kind. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\n',
    '\r\t\b\f',
    '\u0000\u001f',
    '\u007f\u0080',
    '\u2028',
    '😀',
    'é',
    '__proto__',
    '10',
  ),
);
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.constantFrom(0, -0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 333333333.3333333),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(text, tie('value'), { maxKeys: 8 }),
  ),
})).value;

describe('canonicalJson()', () => {
  test('writes what the canonicalize package writes, when the data is arbitrary', () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
        const expected = createHash('sha256')
          .update(canonicalize(value) ?? '')
          .digest('hex');
        expect(hashCanonical(value)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test('does the same for records of equal keys in another order, when their order was seen before', () => {
    const left = canonicalJson({ b: 1, a: { d: 2, c: 3 } });
    expect(left).toBe('{"a":{"c":3,"d":2},"b":1}');
    expect(canonicalJson({ a: { c: 3, d: 2 }, b: 1 })).toBe(left);
    expect(canonicalJson({ b: 1, a: { d: 2, c: 3 } })).toBe(left);
    expect(canonicalJson({ b: 1 })).toBe('{"b":1}');
  });

  test('writes the sample of RFC 8785, when its strings and keys are escaped and sorted', () => {
    const sample = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const keys = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    expect(canonicalJson(keys)).toBe(canonicalize(keys));
  });

  test('leaves out what is undefined, when it is a property', () => {
    expect(canonicalJson({ b: undefined, a: 1, c: undefined })).toBe('{"a":1}');
    expect(canonicalJson({ a: undefined })).toBe('{}');
  });

  test('grows its buffer, when the data is larger than all before', () => {
    const large = { text: 'é\n"'.repeat(100_000), list: Array.from({ length: 50_000 }, (_, index) => index) };
    expect(canonicalJson(large)).toBe(canonicalize(large));
    expect(canonicalJson('x'.repeat(300_000))).toHaveLength(300_002);
  });

  test('sorts rightly, when there are more forms of records than it remembers', () => {
    for (let index = 0; index < 6_000; index++) {
      expect(canonicalJson({ [`key${index}`]: 1, a: 2 })).toBe(`{"a":2,"key${index}":1}`);
    }
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, undefined, Symbol('x'), () => 1, '\ud800', 'a\udc00b'])(
    'throws a TypeError, when the data is or holds %s',
    (value) => {
      expect(() => canonicalJson(value)).toThrow(TypeError);
      expect(() => canonicalJson([{ a: [value] }])).toThrow(TypeError);
      expect(canonicalJson({ a: 1 })).toBe('{"a":1}');
    },
  );
});
