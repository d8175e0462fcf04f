import { isIP } from 'node:net';
import { InputError } from '../../env/index.ts';

export interface HostPort {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
}

/** `HOST:PORT`, IPv6 in brackets. Throws `E_BIND`. */
export function parseHostPort(text: string): HostPort {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^[\]:]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw new InputError({
      code: 'E_BIND',
      what: 'Cannot read the address',
      expected: 'HOST:PORT, such as 127.0.0.1:5755, with a port from 0 to 65535',
      found: JSON.stringify(text),
    });
  }
  return { host: match[1] ?? match[2] ?? '', port };
}

/** `HOST:PORT`, IPv6 in brackets. */
export function formatHostPort({ host, port }: HostPort): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether only this machine reaches the host. A name other than `localhost` counts as the network. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

/** `E_BIND` for an address that others could reach without a key. */
export function refuseOpenAddress(address: string, needed: string): InputError {
  return new InputError({
    code: 'E_BIND',
    what: 'Cannot serve on an address that others reach without encryption',
    where: address,
    expected: `a loopback address, or ${needed}`,
    found: 'neither',
  });
}

/** `E_BIND` for what the system says about an address. */
export function cannotBind(address: string, cause: unknown): InputError {
  const found = cause instanceof Error ? cause.message : String(cause);
  return new InputError({
    code: 'E_BIND',
    what: 'Cannot bind',
    where: address,
    expected: 'a free address',
    found,
    cause,
  });
}
