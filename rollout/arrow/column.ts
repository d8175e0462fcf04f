import { Bool, type Data, type DataType, Float, Int, List, makeData, Struct, Utf8 } from 'apache-arrow';

type Values = readonly unknown[];

/**
 * Encodes one column in one pass. Null and undefined are null. Throws a RangeError for a whole number that does not
 * fit its type: a column never wraps or rounds.
 */
export function encodeColumn(type: DataType, values: Values): Data {
  const length = values.length;
  const nulls = encodeNulls(values);
  if (type instanceof Utf8) return makeData({ type, length, ...nulls, ...encodeText(values) });
  if (type instanceof Bool)
    return makeData({ type, length, ...nulls, data: packBits(values, (value) => value === true) });
  if (type instanceof Int) return makeData({ type, length, ...nulls, data: encodeInts(type, values) });
  if (type instanceof Float) {
    const data = new type.ArrayType(length);
    for (let index = 0; index < length; index += 1) data[index] = Number(values[index] ?? 0);
    return makeData({ type, length, ...nulls, data });
  }
  if (type instanceof List) return makeData({ type, length, ...nulls, ...encodeList(type, values) });
  if (type instanceof Struct) return makeData({ type, length, ...nulls, children: encodeStruct(type, values) });
  throw new TypeError(`Cannot encode a column of type ${type}`);
}

function encodeNulls(values: Values): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } {
  let nullCount = 0;
  for (const value of values) if (value === null || value === undefined) nullCount += 1;
  if (nullCount === 0) return { nullCount };
  return { nullCount, nullBitmap: packBits(values, (value) => value !== null && value !== undefined) };
}

function packBits(values: Values, isSet: (value: unknown) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 64) * 8);
  for (let index = 0; index < values.length; index += 1) {
    if (isSet(values[index])) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bits;
}

function encodeText(values: Values): { readonly valueOffsets: Int32Array; readonly data: Uint8Array } {
  const valueOffsets = new Int32Array(values.length + 1);
  let end = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? '';
    end += value === '' ? 0 : Buffer.byteLength(String(value));
    valueOffsets[index + 1] = end;
  }
  if (end > 2_147_483_647) throw new RangeError(`Cannot encode ${end} bytes of text in one batch`);
  const joined = Buffer.from(values.join(''));
  if (joined.length === end) return { valueOffsets, data: joined };
  // Halves of a surrogate pair that end one text and begin the next were joined into one character.
  return { valueOffsets, data: Buffer.concat(values.map((value) => Buffer.from(String(value ?? '')))) };
}

function encodeInts(type: Int, values: Values): Int8Array | Int32Array | BigInt64Array {
  if (type.bitWidth === 64) {
    const data = new BigInt64Array(values.length);
    for (let index = 0; index < values.length; index += 1) data[index] = toInt64(values[index] ?? 0);
    return data;
  }
  const data = type.bitWidth === 8 ? new Int8Array(values.length) : new Int32Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    data[index] = value as number;
    if (data[index] !== value)
      throw new RangeError(`Cannot encode ${value} as a whole number of ${type.bitWidth} bits`);
  }
  return data;
}

function toInt64(value: unknown): bigint {
  const exact = typeof value === 'bigint' ? value : Number.isSafeInteger(value) ? BigInt(value as number) : null;
  if (exact !== null && BigInt.asIntN(64, exact) === exact) return exact;
  throw new RangeError(`Cannot encode ${value} as an exact whole number of 64 bits`);
}

function encodeList(type: List, values: Values): { readonly valueOffsets: Int32Array; readonly child: Data } {
  const valueOffsets = new Int32Array(values.length + 1);
  const items: unknown[] = [];
  for (const [index, value] of values.entries()) {
    if (Array.isArray(value)) for (const item of value) items.push(item);
    valueOffsets[index + 1] = items.length;
  }
  return { valueOffsets, child: encodeColumn(type.valueType, items) };
}

function encodeStruct(type: Struct, values: Values): Data[] {
  return type.children.map((field) =>
    encodeColumn(
      field.type,
      values.map((value) => (value as Record<string, unknown> | null | undefined)?.[field.name]),
    ),
  );
}
