import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeVllmCommand, type ServerCommand, startModelServer, startServer } from '../client/server/index.ts';
import type { LadderEntry } from './ladder-file.ts';

/** Where a model of the ladder answers now. */
export interface EntryServer {
  readonly baseUrl: string;
  /** As the server names it. */
  readonly model: string;
  /** Idempotent; does nothing to a server that we did not start. */
  stop(): Promise<void>;
}

export interface EntryStart {
  readonly entry: LadderEntry;
  /** Of the entry; the server's log goes there. */
  readonly folder: string;
  /** Instead of the entry's own server. */
  readonly baseUrl: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/** Real milliseconds for weights to load, unless the ladder says otherwise. */
const startMs = 1_800_000;

/** Starts an entry's server, or takes the one that runs already. Throws as `startModelServer` does. */
export async function startEntry({ entry, folder, baseUrl, signal, onProgress }: EntryStart): Promise<EntryServer> {
  const given = baseUrl ?? entry.base_url;
  if (given !== undefined) return { baseUrl: given, model: entry.model, stop: async () => undefined };
  mkdirSync(folder, { recursive: true });
  const common = {
    logFile: serverLog(folder),
    startMs: entry.start_timeout_s === undefined ? startMs : entry.start_timeout_s * 1_000,
    signal,
    onProgress,
  };
  if (entry.server === 'transformers') {
    return await startModelServer({ ...common, kind: 'transformers', checkpoint: entry.model });
  }
  const command = (port: number) => makeCommand(entry, port);
  const server = await startServer({ ...common, command, label: `${entry.server ?? 'vllm'} for ${entry.model}` });
  return { baseUrl: server.baseUrl, model: entry.name, stop: () => server.stop() };
}

export function serverLog(folder: string): string {
  return join(folder, 'model-server.log');
}

function makeCommand(entry: LadderEntry, port: number): ServerCommand {
  const { model, name, env = {}, extra_args: extra = [] } = entry;
  if (entry.server === 'command') {
    const fill = (text: string) =>
      text.replaceAll('{model}', model).replaceAll('{name}', name).replaceAll('{port}', String(port));
    const [program = '', ...args] = [...(entry.command ?? []), ...extra].map(fill);
    return { program, args, env };
  }
  const command = makeVllmCommand(model, [
    ...['--host', '127.0.0.1', '--port', String(port), '--served-model-name', name],
    ...flag('--revision', entry.revision),
    ...flag('--dtype', entry.dtype),
    ...flag('--max-model-len', entry.max_model_len),
    ...flag('--tensor-parallel-size', entry.tensor_parallel),
    ...extra,
  ]);
  return { ...command, env: { ...command.env, ...env } };
}

function flag(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [name, String(value)];
}
