import { readFileSync } from 'node:fs';
import { ServerCredentials } from '@grpc/grpc-js';
import { InputError } from '../../env/index.ts';

/** PEM files. With `ca`, clients must show a certificate that it signed. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
  readonly ca: string | null;
}

/** Throws `E_TLS` where a file cannot be read or is no key pair. */
export function makeCredentials(files: TlsFiles | null): ServerCredentials {
  if (files === null) return ServerCredentials.createInsecure();
  const pair = { cert_chain: readPem(files.certificate), private_key: readPem(files.key) };
  const ca = files.ca === null ? null : readPem(files.ca);
  try {
    return ServerCredentials.createSsl(ca, [pair], ca !== null);
  } catch (cause) {
    throw badPem(files.certificate, cause);
  }
}

function readPem(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw badPem(path, cause);
  }
}

function badPem(where: string, cause: unknown): InputError {
  const found = cause instanceof Error ? cause.message : String(cause);
  return new InputError({ code: 'E_TLS', what: 'Cannot use the TLS file', where, expected: 'PEM', found, cause });
}
