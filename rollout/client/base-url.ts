import { InputError } from '../../env/index.ts';

/** The address of a server, without a slash at its end. Throws an InputError (`E_BASE_URL`). */
export function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw baseUrlError('an http or https URL such as "http://127.0.0.1:8000/v1"', `"${text}"`);
  }
  if (url.username !== '' || url.password !== '') {
    throw baseUrlError('an address without a password: keys come from the environment', 'one with it (not shown)');
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** `href` without the slash that URL puts behind a bare host. */
export function formatBaseUrl(url: URL): string {
  return url.href.replace(/\/$/, '');
}

function baseUrlError(expected: string, found: string): InputError {
  return new InputError({
    code: 'E_BASE_URL',
    what: 'Cannot reach a model server',
    where: '--base-url',
    expected,
    found,
  });
}
