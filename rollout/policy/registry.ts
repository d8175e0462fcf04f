import { InputError } from '../../env/index.ts';
import { type ModelOptions, makeOpenAiPolicy } from './openai.ts';
import type { Policy } from './policy.ts';
import { makeRandomPolicy } from './random.ts';
import { makeReplayPolicy } from './replay.ts';
import { makeScriptFilePolicy } from './script-file.ts';
import { makeNaivePolicy, makeNoopPolicy, makeOraclePolicy, makeWrongPolicy } from './solution.ts';

interface Leaf {
  /** How the argument after the name is written; null where there is none. */
  readonly argument: string | null;
  readonly make: (argument: string | null, options: ModelOptions) => Policy;
}

const leaves: Readonly<Record<string, Leaf>> = {
  oracle: { argument: '[:VARIANT]', make: makeOraclePolicy },
  naive: { argument: null, make: makeNaivePolicy },
  noop: { argument: null, make: makeNoopPolicy },
  random: { argument: null, make: makeRandomPolicy },
  wrong: { argument: null, make: makeWrongPolicy },
  script: { argument: ':FILE', make: makeScriptFilePolicy },
  replay: { argument: ':RUN', make: makeReplayPolicy },
  openai: { argument: null, make: makeOpenAiPolicy },
};

/** How each policy is named, for help and messages. */
export const policyForms: readonly string[] = Object.entries(leaves).map(
  ([name, leaf]) => name + (leaf.argument ?? ''),
);

/** Whether a policy asks a model, and so takes `ModelOptions`. */
export function isModelPolicy(name: string): boolean {
  return name === 'openai';
}

/**
 * Makes the policy that `name` stands for. Throws an InputError (`E_POLICY`) for a name of no known form, and whatever
 * the leaf throws for a file, a run or an address that it cannot use.
 */
export function makePolicy(name: string, options: ModelOptions = {}): Policy {
  const [head = '', ...rest] = name.split(':');
  const argument = rest.length === 0 ? null : rest.join(':');
  const leaf = Object.hasOwn(leaves, head) ? leaves[head] : undefined;
  if (leaf !== undefined && fits(leaf.argument, argument)) return leaf.make(argument, options);
  throw new InputError({
    code: 'E_POLICY',
    what: 'Cannot choose a policy',
    where: '--policy',
    expected: policyForms.join(', '),
    found: `"${name}"`,
  });
}

function fits(form: string | null, argument: string | null): boolean {
  if (form === null) return argument === null;
  return argument === null ? form.startsWith('[') : argument !== '';
}
