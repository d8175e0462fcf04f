import { InputError } from '../../env/index.ts';
import { makeAnthropicPolicy } from './anthropic.ts';
import { makeFusionPolicy } from './fusion.ts';
import { commonOptions, type ModelOptionName, type ModelOptions } from './model-options.ts';
import { makeOpenAiPolicy } from './openai.ts';
import type { Policy } from './policy.ts';
import { makeRandomPolicy } from './random.ts';
import { makeReplayPolicy } from './replay.ts';
import { makeScaffoldPolicy } from './scaffold.ts';
import { makeScriptFilePolicy } from './script-file.ts';
import { makeNaivePolicy, makeNoopPolicy, makeOraclePolicy, makeWrongPolicy } from './solution.ts';

interface Leaf {
  /** How the argument after the name is written; null where there is none. */
  readonly argument: string | null;
  /** What of `ModelOptions` it takes; any other would be silently without effect. */
  readonly takes: readonly ModelOptionName[];
  readonly make: (argument: string | null, options: ModelOptions) => Policy;
}

const leaves: Readonly<Record<string, Leaf>> = {
  oracle: { argument: '[:VARIANT]', takes: [], make: makeOraclePolicy },
  naive: { argument: null, takes: [], make: makeNaivePolicy },
  noop: { argument: null, takes: [], make: makeNoopPolicy },
  random: { argument: null, takes: [], make: makeRandomPolicy },
  wrong: { argument: null, takes: [], make: makeWrongPolicy },
  script: { argument: ':FILE', takes: [], make: makeScriptFilePolicy },
  replay: { argument: ':RUN', takes: ['loop', 'scaffold', 'temperature', 'maxTokens'], make: makeReplayPolicy },
  openai: {
    argument: null,
    takes: [...commonOptions, 'model', 'apiKeyEnv', 'checkpoint', 'server'],
    make: makeOpenAiPolicy,
  },
  anthropic: { argument: null, takes: [...commonOptions, 'model', 'apiKeyEnv'], make: makeAnthropicPolicy },
  fusion: { argument: null, takes: [...commonOptions, 'preset'], make: makeFusionPolicy },
  scaffold: { argument: null, takes: ['model', 'scaffold', 'requestTimeoutMs'], make: makeScaffoldPolicy },
};

/** How each policy is named, for help and messages. */
export const policyForms: readonly string[] = Object.entries(leaves).map(
  ([name, leaf]) => name + (leaf.argument ?? ''),
);

/** Whether a policy asks a model of its own accord. */
export function isModelPolicy(name: string): boolean {
  return ['openai', 'anthropic', 'fusion'].includes(name);
}

/**
 * Makes the policy that `name` stands for. Throws an InputError (`E_POLICY`) for a name of no known form or an option
 * that it does not take, and whatever the leaf throws for a file, a run or an address that it cannot use.
 */
export function makePolicy(name: string, options: ModelOptions = {}): Policy {
  const leaf = findLeaf(name);
  const argument = argumentOf(name);
  if (leaf === undefined || !fits(leaf.argument, argument)) throw unknownPolicy(name);
  const foreign = Object.entries(options).flatMap(([key, value]) =>
    value === undefined || leaf.takes.some((taken) => taken === key) ? [] : [formatFlag(key)],
  );
  if (foreign.length > 0) throw foreignOptions(name, leaf, foreign);
  return leaf.make(argument, options);
}

function findLeaf(name: string): Leaf | undefined {
  const head = name.split(':', 1)[0] ?? '';
  return Object.hasOwn(leaves, head) ? leaves[head] : undefined;
}

function argumentOf(name: string): string | null {
  const colon = name.indexOf(':');
  return colon === -1 ? null : name.slice(colon + 1);
}

function fits(form: string | null, argument: string | null): boolean {
  if (form === null) return argument === null;
  return argument === null ? form.startsWith('[') : argument !== '';
}

function unknownPolicy(name: string): InputError {
  return new InputError({
    code: 'E_POLICY',
    what: 'Cannot choose a policy',
    where: '--policy',
    expected: policyForms.join(', '),
    found: `"${name}"`,
  });
}

function foreignOptions(name: string, { takes }: Leaf, foreign: readonly string[]): InputError {
  return new InputError({
    code: 'E_POLICY',
    what: 'Cannot give a policy options that it does not take',
    where: `--policy ${name}`,
    expected: takes.length === 0 ? 'none of a model' : takes.map(formatFlag).join(', '),
    found: foreign.join(', '),
  });
}

/** As typed on the command line. */
function formatFlag(option: string): string {
  if (option === 'maxTokens') return '--answer-tokens';
  return `--${option.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
