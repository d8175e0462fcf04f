import { isUtf8 } from 'node:buffer';
import protobuf from 'protobufjs';
import { InputError } from '../../env/index.ts';

/**
 * Throws `E_PROTOBUF`, with the place, unless the bytes are exactly a message of this type: known fields of the right
 * wire type, nothing cut, strings in UTF-8. A field of a newer schema is refused and not dropped, since an option that
 * is silently ignored gives other results than the client asked for.
 */
export function checkMessage(type: protobuf.Type, bytes: Uint8Array): void {
  walk(protobuf.Reader.create(bytes), { type, end: bytes.length, path: type.name });
}

interface Span {
  readonly type: protobuf.Type;
  readonly end: number;
  readonly path: string;
}

function walk(reader: protobuf.Reader, span: Span): void {
  while (reader.pos < span.end) {
    const at = reader.pos;
    const tag = read(reader, span, () => reader.uint32());
    const field = span.type.fieldsById[tag >>> 3];
    if (field === undefined) throw torn(span.path, at, `a field of ${span.type.name}`, `field number ${tag >>> 3}`);
    const path = `${span.path}.${field.name}`;
    if ((tag & 7) !== wireType(field)) throw torn(path, at, `wire type ${wireType(field)}`, `wire type ${tag & 7}`);
    if ((tag & 7) === 2) walkBytes(reader, field, { ...span, path });
    else read(reader, { ...span, path }, () => reader.skipType(tag & 7));
    if (reader.pos > span.end) throw torn(path, at, `at most ${span.end - at} bytes`, `${reader.pos - at} bytes`);
  }
}

/** A length-delimited field: a message or a text. */
function walkBytes(reader: protobuf.Reader, field: protobuf.Field, outer: Span): void {
  const at = reader.pos;
  const length = read(reader, outer, () => reader.uint32());
  const end = reader.pos + length;
  if (end > outer.end) throw torn(outer.path, at, `${length} bytes`, `${outer.end - reader.pos} bytes, then the end`);
  if (field.resolvedType instanceof protobuf.Type) walk(reader, { type: field.resolvedType, end, path: outer.path });
  else if (field.type === 'string' && !isUtf8(reader.buf.subarray(reader.pos, end))) {
    throw torn(outer.path, at, 'UTF-8 text', 'other bytes');
  }
  reader.pos = end;
}

function read<Value>(reader: protobuf.Reader, span: Span, take: () => Value): Value {
  const at = reader.pos;
  try {
    return take();
  } catch (cause) {
    throw torn(span.path, at, 'a whole field', cause instanceof Error ? cause.message : String(cause));
  }
}

const scalarWireTypes: Readonly<Record<string, number>> = protobuf.types.basic;

function wireType(field: protobuf.Field): number {
  return field.resolvedType instanceof protobuf.Type ? 2 : (scalarWireTypes[field.type] ?? 0);
}

function torn(path: string, at: number, expected: string, found: string): InputError {
  return new InputError({
    code: 'E_PROTOBUF',
    what: 'Cannot read the message',
    where: `${path}, byte ${at}`,
    expected,
    found,
    hint: 'the messages are those of trainer-bridge/proto/muxgym/v1/gym.proto, protocol 1',
  });
}
