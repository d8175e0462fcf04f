import { InputError } from '../../env/index.ts';

/** A uint64 as protobufjs decodes it. */
export type WireUint64 = number | { toNumber(): number };

/** Throws `E_PROTOBUF` above 2^53 - 1, where JavaScript numbers stop being exact. */
export function uint64FromWire(value: WireUint64, where: string): number {
  const number = typeof value === 'number' ? value : value.toNumber();
  if (Number.isSafeInteger(number)) return number;
  throw new InputError({
    code: 'E_PROTOBUF',
    what: 'Cannot take the number',
    where,
    expected: 'at most 2^53 - 1',
    found: String(number),
  });
}

/** The value of an optional field, null where the sender left it out. */
export function optional<Message extends object, Key extends keyof Message>(
  message: Message,
  key: Key,
): NonNullable<Message[Key]> | null {
  return Object.hasOwn(message, key) ? (message[key] ?? null) : null;
}
