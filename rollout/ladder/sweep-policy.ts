import { makePolicy, type Policy } from '../policy/index.ts';
import type { EntryServer } from './entry-server.ts';
import type { LadderEntry, LadderSweep } from './ladder-file.ts';

/**
 * The policy of one sweep of one model. Its server is asked for only when something is left to play, so that a finished
 * sweep starts none.
 */
export function makeSweepPolicy(entry: LadderEntry, sweep: LadderSweep, server: () => Promise<EntryServer>): Policy {
  const options = {
    loop: sweep.loop,
    temperature: sweep.temperature,
    maxTokens: sweep.answer_tokens,
    apiKeyEnv: entry.api_key_env,
  };
  const place = 'http://127.0.0.1:9/v1'; // told by the server once it runs; no part of the configuration
  const shape = makePolicy('openai', { ...options, baseUrl: place, model: entry.name });
  return {
    ...shape,
    config: { ...shape.config, ladder_model: entry.model, ladder_revision: entry.revision ?? null },
    context: { dtype: entry.dtype ?? null, max_model_len: text(entry.max_model_len) },
    open: async (opening) => {
      const { baseUrl, model } = await server();
      const player = await makePolicy('openai', { ...options, baseUrl, model }).open(opening);
      return { ...player, model: entry.name };
    },
  };
}

function text(value: number | undefined): string | null {
  return value === undefined ? null : String(value);
}
