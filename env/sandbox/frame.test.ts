import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameReader, formatFrame } from './frame.ts';

const cut = (bytes: Buffer, sizes: readonly number[]): readonly Buffer[] => {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...chunks, bytes.subarray(at)];
};

describe('FrameReader', () => {
  const frame = fc.tuple(fc.constantFrom('H', 'S', 'O', 'X'), fc.uint8Array({ minLength: 4, maxLength: 300 }));

  test('finds the same frames, however the stream is cut into chunks', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), sizes, (frames, chunkSizes) => {
        const stream = Buffer.concat(frames.map(([type, payload]) => formatFrame(type, [Buffer.from(payload)])));
        const found: (readonly [string, string])[] = [];
        const reader = new FrameReader((type, payload) => found.push([type, payload.toString('hex')]));
        for (const chunk of cut(stream, chunkSizes)) reader.push(chunk);
        expect(found).toEqual(frames.map(([type, payload]) => [type, Buffer.from(payload).toString('hex')]));
      }),
    );
  });

  test('holds an unfinished frame back', () => {
    const found: string[] = [];
    const reader = new FrameReader((type) => found.push(type));
    const bytes = formatFrame('O', [Buffer.from('abcd'), Buffer.from('efgh')]);
    reader.push(bytes.subarray(0, bytes.length - 1));
    expect(found).toEqual([]);
    reader.push(bytes.subarray(bytes.length - 1));
    expect(found).toEqual(['O']);
  });

  test('reports a length that no launcher sends as a frame of type "!", and reads no further', () => {
    const found: string[] = [];
    const reader = new FrameReader((type) => found.push(type));
    const forged = Buffer.from([0xff, 0xff, 0xff, 0x7f, 0x4f]);
    reader.push(Buffer.concat([formatFrame('S', [Buffer.alloc(8)]), forged, formatFrame('S', [Buffer.alloc(8)])]));
    expect(found).toEqual(['S', '!']);
  });

  test('hands out copies, so that a reused chunk does not change them', () => {
    const payloads: Buffer[] = [];
    const reader = new FrameReader((_, payload) => payloads.push(payload));
    const chunk = formatFrame('O', [Buffer.from('abcd')]);
    reader.push(chunk);
    chunk.fill(0);
    expect(payloads.map(String)).toEqual(['abcd']);
  });
});

describe('formatFrame()', () => {
  test('writes length, type and payload, little-endian', () => {
    expect(formatFrame('K', [Buffer.from([1, 0, 0, 0])])).toEqual(Buffer.from([4, 0, 0, 0, 0x4b, 1, 0, 0, 0]));
  });
});
