import { Agent, fetch as undiciFetch } from 'undici';

/** The built-in fetch gives up after 300 s without a header, and a busy server sends none until the answer is whole. */
const patience = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** A fetch without time limits of its own: the time of a request is kept by its signal. */
export const fetchPatiently = ((url: string, init?: object) =>
  undiciFetch(url, { ...init, dispatcher: patience })) as unknown as typeof fetch;

/** Longer than any request is let live, for SDKs that want a limit of their own. */
export const maxTimeoutMs = 86_400_000;
