import { hash } from 'node:crypto';

/**
 * SHA-256 (64 hex digits) of the canonical JSON (RFC 8785) of plain data: no white space, keys in the order of their
 * UTF-16 code units, numbers and strings as ECMAScript writes them. Properties that are undefined are left out. Throws a
 * TypeError for what JSON cannot hold exactly: numbers that are not finite, lone surrogates, functions, symbols, bigints.
 */
export function hashCanonical(value: unknown): string {
  return hash('sha256', writer.write(value), 'hex');
}

/** The canonical JSON that `hashCanonical` hashes. Throws as it does. */
export function canonicalJson(value: unknown): string {
  return writer.write(value).toString('utf8');
}

/** Writes into one buffer that is kept: a string of the whole would be built only to be turned into bytes again. */
class CanonicalWriter {
  #bytes = Buffer.allocUnsafe(65_536);
  #length = 0;

  /** The bytes are valid until the next call. */
  write(value: unknown): Buffer {
    this.#length = 0;
    this.#value(value);
    return this.#bytes.subarray(0, this.#length);
  }

  #value(value: unknown): void {
    if (typeof value === 'string') this.#string(value);
    else if (typeof value !== 'object') this.#plain(formatScalar(value));
    else if (value === null) this.#plain('null');
    else if (Array.isArray(value)) this.#list(value);
    else this.#record(value as Readonly<Record<string, unknown>>);
  }

  #list(items: readonly unknown[]): void {
    this.#byte(openBracket);
    for (let index = 0; index < items.length; index++) {
      if (index > 0) this.#byte(comma);
      this.#value(items[index]);
    }
    this.#byte(closeBracket);
  }

  #record(record: Readonly<Record<string, unknown>>): void {
    this.#byte(openBrace);
    const start = this.#length;
    for (const { key, head } of keyOrder(Object.keys(record))) {
      const value = record[key];
      if (value === undefined) continue;
      if (this.#length > start) this.#byte(comma);
      this.#head(head);
      this.#value(value);
    }
    this.#byte(closeBrace);
  }

  #string(text: string): void {
    this.#reserve(2 * text.length + 2);
    const bytes = this.#bytes;
    let end = this.#length;
    bytes[end++] = quote;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === newline) {
        bytes[end++] = backslash;
        bytes[end++] = letterN;
      } else if (code < 0x20 || code > 0x7e) {
        this.#escaped(text);
        return;
      } else {
        if (code === quote || code === backslash) bytes[end++] = backslash;
        bytes[end++] = code;
      }
    }
    bytes[end++] = quote;
    this.#length = end;
  }

  /** A string with more in it than printable ASCII and newlines. */
  #escaped(text: string): void {
    this.#utf8(quoteText(text));
  }

  #utf8(text: string): void {
    this.#reserve(3 * text.length);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  #head({ text, isAscii }: Head): void {
    if (isAscii) this.#plain(text);
    else this.#utf8(text);
  }

  /** ASCII as it is. */
  #plain(text: string): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    let end = this.#length;
    for (let index = 0; index < text.length; index++) bytes[end++] = text.charCodeAt(index);
    this.#length = end;
  }

  #byte(code: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = code;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const comma = 0x2c;
const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;
const letterN = 0x6e;

const writer = new CanonicalWriter();

/** How a property begins: its key in quotes, and a colon. */
interface Head {
  readonly text: string;
  readonly isAscii: boolean;
}

interface Property {
  readonly key: string;
  readonly head: Head;
}

/** The keys of a record as they came lead along the nodes to their order. */
interface KeyNode {
  readonly next: Map<string, KeyNode>;
  order: readonly Property[] | null;
}

const firstKey: KeyNode = { next: new Map(), order: null };
/** Tasks have a few dozen forms of records; whatever else comes is sorted each time. */
const maximumNodes = 4_096;
let nodes = 0;

/** Keys in canonical order. Remembers the order of a form of record, since sorting costs more than writing. */
function keyOrder(keys: readonly string[]): readonly Property[] {
  let node = firstKey;
  for (const key of keys) {
    const next = node.next.get(key) ?? addNode(node, key);
    if (next === null) return sortKeys(keys);
    node = next;
  }
  node.order ??= sortKeys(keys);
  return node.order;
}

function addNode(node: KeyNode, key: string): KeyNode | null {
  if (nodes >= maximumNodes) return null;
  nodes += 1;
  const next: KeyNode = { next: new Map(), order: null };
  node.next.set(key, next);
  return next;
}

function sortKeys(keys: readonly string[]): readonly Property[] {
  return keys.toSorted().map((key) => ({ key, head: makeHead(key) }));
}

function makeHead(key: string): Head {
  const text = `${quoteText(key)}:`;
  return { text, isAscii: /^[ -~]*$/.test(text) };
}

const loneSurrogate = /\p{Surrogate}/u;

function quoteText(text: string): string {
  if (loneSurrogate.test(text)) throw new TypeError('Cannot write canonical JSON: a string has a lone surrogate');
  return JSON.stringify(text);
}

function formatScalar(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw new TypeError(`Cannot write canonical JSON: expected plain data, found ${String(value)}`);
}
