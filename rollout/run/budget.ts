import { InputError } from '../../env/index.ts';
import type { Answer, Completion } from '../client/index.ts';
import type { RolloutRecord } from '../record/index.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly prompt: number;
  readonly completion: number;
}

/** What a run may use before it stops. Raising a limit continues the run. */
export interface BudgetLimits {
  /** US dollars of all starts together. @default no limit */
  readonly maxCostUsd?: number | undefined;
  /** Prompt and completion tokens of all starts together. @default no limit */
  readonly maxTokens?: number | undefined;
  /** Real milliseconds of this start. @default no limit */
  readonly timeLimitMs?: number | undefined;
  /** For servers that do not say what an answer cost. @default none */
  readonly price?: Price | undefined;
}

export type BudgetStop = 'max-cost' | 'max-tokens' | 'time-limit';

/** What answers used. Null where the server did not count, or no price is known. */
export interface Usage {
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly cost_usd: number | null;
}

export const noUsage: Usage = { prompt_tokens: null, completion_tokens: null, cost_usd: null };

/** What a run has used of its limits: in this start, and as its records tell of those before. */
export class Budget {
  readonly #limits: BudgetLimits;
  #tokens = 0;
  #costUsd = 0;
  #uncounted = false;
  #unpriced = false;

  constructor(limits: BudgetLimits, finished: readonly RolloutRecord[]) {
    this.#limits = limits;
    for (const record of finished) this.#add(record);
  }

  /** Takes in what the model sent in one attempt, a spoiled one's too, and says what it used. */
  spend(completions: readonly Completion[]): Usage {
    const used = completions.flatMap((one) => (one.type === 'answer' ? [measureAnswer(one, this.#limits.price)] : []));
    this.#uncounted ||= used.some((one) => one.prompt_tokens === null || one.completion_tokens === null);
    this.#unpriced ||= used.some((one) => one.cost_usd === null);
    const usage = used.reduce(addUsage, noUsage);
    this.#add(usage);
    return usage;
  }

  /**
   * Throws an InputError (`E_BUDGET`) where a limit stands on what the server does not tell: a limit that cannot be
   * kept would be none.
   */
  requireKnown(): void {
    if (this.#uncounted && this.#limits.maxTokens !== undefined) throw unknownError('token');
    if (this.#unpriced && this.#limits.maxCostUsd !== undefined) throw unknownError('cost');
  }

  /** The limit that was reached, or null. Time is kept by a signal of its own. */
  get reached(): BudgetStop | null {
    const { maxCostUsd = Number.POSITIVE_INFINITY, maxTokens = Number.POSITIVE_INFINITY } = this.#limits;
    if (this.#costUsd >= maxCostUsd) return 'max-cost';
    return this.#tokens >= maxTokens ? 'max-tokens' : null;
  }

  #add({ prompt_tokens, completion_tokens, cost_usd }: Usage): void {
    this.#tokens += (prompt_tokens ?? 0) + (completion_tokens ?? 0);
    this.#costUsd += cost_usd ?? 0;
  }
}

function measureAnswer({ promptTokens, completionTokens, costUsd }: Answer, price: Price | undefined): Usage {
  const counted = promptTokens !== null && completionTokens !== null;
  const made =
    price === undefined || !counted
      ? null
      : (promptTokens * price.prompt + completionTokens * price.completion) / 1_000_000;
  return { prompt_tokens: promptTokens, completion_tokens: completionTokens, cost_usd: costUsd ?? made };
}

/** What is not known of one is left out of the sum. */
export function addUsage(a: Usage, b: Usage): Usage {
  const add = (left: number | null, right: number | null) =>
    left === null && right === null ? null : (left ?? 0) + (right ?? 0);
  return {
    prompt_tokens: add(a.prompt_tokens, b.prompt_tokens),
    completion_tokens: add(a.completion_tokens, b.completion_tokens),
    cost_usd: add(a.cost_usd, b.cost_usd),
  };
}

function unknownError(kind: 'token' | 'cost'): InputError {
  return new InputError({
    code: 'E_BUDGET',
    what: `Cannot keep a limit of ${kind === 'token' ? 'tokens' : 'cost'}`,
    where: kind === 'token' ? '--max-tokens' : '--max-cost',
    expected: kind === 'token' ? 'a server that counts tokens' : 'a server that says what an answer cost, or a price',
    found: 'neither in its answers',
    hint:
      kind === 'token'
        ? 'leave the limit out, or use --time-limit'
        : 'give --price PROMPT,COMPLETION in US dollars for a million tokens',
  });
}
