import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../env/index.ts';
import { methodTypes } from './schema.ts';
import { checkMessage } from './strict-check.ts';

const act = methodTypes.get('Act')!.request;
const encode = (message: object) => Buffer.from(act.encode(message).finish());
const valid = encode({ client: 'c', episode: 'e', sequence: 7, action: { keys: { target: '%1', keys: ['a', 'b'] } } });

describe('checkMessage()', () => {
  test('checkMessage() accepts every message that the schema can write', () => {
    const text = fc.string({ unit: 'grapheme' });
    const action = fc.oneof(
      fc.record({ command: text }),
      fc.record({ keys: fc.record({ target: text, keys: fc.array(text) }) }),
      fc.record({ waitTicks: fc.integer({ min: 0, max: 2 ** 32 - 1 }) }),
      fc.record({ done: fc.boolean() }),
    );
    const message = fc.record({ client: text, episode: text, sequence: fc.maxSafeNat(), action });
    fc.assert(fc.property(message, (each) => checkMessage(act, encode(each))));
  });

  test('checkMessage() refuses a cut message or accepts a whole shorter one, never throws anything else', () => {
    for (let length = 0; length < valid.length; length += 1) {
      const cut = valid.subarray(0, length);
      try {
        checkMessage(act, cut);
        expect(encode(act.decode(cut))).toEqual(Buffer.from(cut));
      } catch (error) {
        expect(error).toMatchObject({ code: 'E_PROTOBUF' });
      }
    }
  });

  test('checkMessage() throws nothing but E_PROTOBUF with a place, when the bytes are random', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const { request } of methodTypes.values()) {
          try {
            checkMessage(request, bytes);
          } catch (error) {
            if (!(error instanceof InputError) || error.code !== 'E_PROTOBUF') throw error;
            expect(error.facts.where).toMatch(/^\w+(\.\w+)*, byte \d+$/);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('checkMessage() refuses a field of another schema and names its number', () => {
    const future = Buffer.concat([valid, Buffer.from([0xf8, 0x01, 0x01])]);
    expect(() => checkMessage(act, future)).toThrow(/ActRequest, byte \d+: .* found field number 31/);
  });

  test('checkMessage() refuses a length that reaches beyond its message', () => {
    expect(() => checkMessage(act, Buffer.from([0x22, 0x02, 0x0a, 0x05, 0x61, 0x61, 0x61, 0x61, 0x61]))).toThrow(
      /ActRequest.action/,
    );
  });
});
