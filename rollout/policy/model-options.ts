import type { ServerKind } from '../client/server/index.ts';

/** What a policy that asks a model may need; each takes some of it, scripted ones take none. */
export interface ModelOptions {
  /** Of a server that runs already. @default the variable OPENAI_BASE_URL or ANTHROPIC_BASE_URL */
  readonly baseUrl?: string | undefined;
  /** A folder to serve for the run's time, instead of `baseUrl`. */
  readonly checkpoint?: string | undefined;
  /** The program that serves `checkpoint`. @default 'transformers' */
  readonly server?: ServerKind | undefined;
  /** @default the only model that the server lists */
  readonly model?: string | undefined;
  /** The name of a fusion preset in `data/fusion`, or its file. */
  readonly preset?: string | undefined;
  /** The environment variable that holds the key. */
  readonly apiKeyEnv?: string | undefined;
  /** Real milliseconds for one request with its repeats. */
  readonly requestTimeoutMs?: number | undefined;
  /** @default 'script' */
  readonly loop?: string | undefined;
  /** The command of the outside agent that plays in the `scaffold` loop. */
  readonly scaffold?: string | undefined;
  /** Null leaves it to the server. @default 0, and null for Anthropic and fusion */
  readonly temperature?: number | null | undefined;
  /** @default 1024 */
  readonly maxTokens?: number | undefined;
  /** Ask for answers piece by piece. @default false */
  readonly stream?: boolean | undefined;
}

export type ModelOptionName = keyof ModelOptions;

/** What every policy takes that asks a model over a wire. */
export const commonOptions: readonly ModelOptionName[] = [
  'baseUrl',
  'requestTimeoutMs',
  'loop',
  'scaffold',
  'temperature',
  'maxTokens',
  'stream',
];
