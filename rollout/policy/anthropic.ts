import { InputError } from '../../env/index.ts';
import { connectAnthropic } from '../client/index.ts';
import { withoutSecrets } from './address.ts';
import { makeModelPolicy } from './model.ts';
import type { ModelOptions } from './model-options.ts';
import type { Policy } from './policy.ts';

/** Asks a model over Anthropic's Messages protocol. Its temperature is the server's own unless one is named. */
export function makeAnthropicPolicy(_argument: string | null, options: ModelOptions): Policy {
  const { model, apiKeyEnv, requestTimeoutMs, stream } = options;
  if (model === undefined) {
    throw new InputError({
      code: 'E_MODEL',
      what: 'Cannot choose a model',
      where: '--policy anthropic',
      expected: '--model NAME',
      found: 'none',
    });
  }
  const baseUrl = options.baseUrl ?? (process.env['ANTHROPIC_BASE_URL'] || undefined);
  return makeModelPolicy({
    name: 'anthropic',
    options,
    defaultTemperature: null,
    context: { base_url: baseUrl === undefined ? null : withoutSecrets(baseUrl) },
    model,
    connect: async ({ temperature }) => ({
      client: await connectAnthropic({ baseUrl, model, apiKeyEnv, requestTimeoutMs, stream, temperature }),
    }),
  });
}
