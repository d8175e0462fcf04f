import { BoundaryError } from '../../env/index.ts';
import type { ModelClient } from '../client/index.ts';
import { makeModelPolicy } from './model.ts';
import type { ModelOptions } from './model-options.ts';
import type { Policy } from './policy.ts';

/** An outside agent that brings its own model, if it has one; `model` is how the tables name it. */
export function makeScaffoldPolicy(_argument: string | null, options: ModelOptions): Policy {
  const { model = 'its-own' } = options;
  return makeModelPolicy({
    name: 'scaffold',
    options: { ...options, loop: 'scaffold' },
    defaultTemperature: null,
    model,
    connect: async () => ({ client: makeAbsentClient(model) }),
  });
}

/** Stands where a program brings its own model. */
function makeAbsentClient(model: string): ModelClient {
  return {
    model,
    complete: async () => {
      throw new BoundaryError('model', {
        code: 'E_MODEL_ABSENT',
        what: 'The outside agent asks for a model, and this policy has none',
        where: '--policy scaffold',
        hint: 'choose --policy openai, anthropic or fusion with --loop scaffold',
      });
    },
    requireTools: async () => undefined,
    isReachable: async () => true,
  };
}
