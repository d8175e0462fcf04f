import { readFileSync } from 'node:fs';
import { InputError } from '../../env/index.ts';
import { isCurveKey } from './z85.ts';

/** What a server needs to encrypt and to know its clients. Keys are Z85, 40 characters each. */
export interface CurveServerKeys {
  readonly publicKey: string;
  readonly secretKey: string;
  /** Public keys of the clients that are let in. */
  readonly allowed: ReadonlySet<string>;
}

/**
 * Reads a certificate as pyzmq's `zmq.auth.create_certificates` and czmq write it (`public-key = "…"`,
 * `secret-key = "…"`), and the allow-list: public keys, one a line, or such certificates. Throws `E_CURVE`.
 */
export function readCurveKeys(keysPath: string, allowPath: string): CurveServerKeys {
  const text = readText(keysPath);
  const publicKey = namedKeys(text, 'public-key')[0];
  const secretKey = namedKeys(text, 'secret-key')[0];
  if (publicKey === undefined || secretKey === undefined) {
    throw unreadable(keysPath, 'lines public-key = "…" and secret-key = "…" with keys of 40 Z85 characters');
  }
  return { publicKey, secretKey, allowed: readAllowed(allowPath) };
}

function readAllowed(path: string): ReadonlySet<string> {
  const text = readText(path);
  const certificates = namedKeys(text, 'public-key');
  const lines = text.split('\n').map((line) => line.trim());
  // A comment has a blank after its sign; a key may begin with that sign and has none.
  const bare = lines.filter((line) => line !== '' && line !== '#' && !line.startsWith('# ') && !line.startsWith('## '));
  if (certificates.length > 0) return new Set(certificates);
  const wrong = bare.find((line) => !isCurveKey(line));
  if (wrong !== undefined)
    throw unreadable(path, 'public keys of 40 Z85 characters, one a line', JSON.stringify(wrong));
  if (bare.length === 0) throw unreadable(path, 'at least one public key', 'none');
  return new Set(bare);
}

function namedKeys(text: string, name: string): readonly string[] {
  const pattern = new RegExp(`^\\s*${name}\\s*=\\s*"([^"]*)"`, 'gm');
  return [...text.matchAll(pattern)].flatMap(([, key]) => (key !== undefined && isCurveKey(key) ? [key] : []));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw unreadable(path, 'a readable file', cause instanceof Error ? cause.message : String(cause));
  }
}

function unreadable(where: string, expected: string, found?: string): InputError {
  const facts = { code: 'E_CURVE', what: 'Cannot read the CURVE keys', where, expected };
  return new InputError(found === undefined ? facts : { ...facts, found });
}
