import { describe, expect, test } from 'vitest';
import type { Answer } from '../client/index.ts';
import { rolloutRecordSchema } from '../record/index.ts';
import { Budget } from './budget.ts';

const answer = (changes: Partial<Answer> = {}): Answer => ({
  ...{ type: 'answer', text: 'a', toolCalls: [], finishReason: 'stop', promptTokens: 30, completionTokens: 10 },
  ...changes,
});

const record = (usage: object) =>
  rolloutRecordSchema.parse({
    ...{ schema: 1, episode: 'e', task: 't', task_hash: 'h', suite: 's', pillar: 'cliff', depth: 0, ops: 1, sample: 0 },
    ...{ attempt: 0, seed: 1, split: null, policy: 'openai', trace: 'traces.jsonl#0', outcome: 'scored', reward: 1 },
    ...{ passed: true, flags: [], boundary: null, failure: null, checks: [], events: [], steps: 1, ticks: 1 },
    ...{
      wall_ticks: 0,
      reproducible: true,
      format_failures: 0,
      truncated_by: null,
      sandbox: 'bare',
      tmux_version: '3',
    },
    ...{ observation_hash: '', observation_hash_raw: '', replaced_bytes: 0, ...usage },
    timings: { reset_ms: 1, step_ms: 1, grade_ms: 1, policy_ms: 1 },
  });

describe('Budget', () => {
  test('reaches a limit of tokens, when those of this start and of the records come to it', () => {
    const budget = new Budget({ maxTokens: 100 }, [record({ prompt_tokens: 40, completion_tokens: 20 })]);
    expect(budget.reached).toBeNull();
    expect(budget.spend([answer()])).toMatchObject({ prompt_tokens: 30, completion_tokens: 10 });
    expect(budget.reached).toBe('max-tokens');
  });

  test('counts the cost that the server says, else the price', () => {
    const price = { prompt: 1, completion: 10 };
    const budget = new Budget({ maxCostUsd: 0.5, price }, []);
    expect(budget.spend([answer()]).cost_usd).toBeCloseTo(130 / 1e6, 12);
    expect(budget.spend([answer({ costUsd: 0.6 })]).cost_usd).toBe(0.6);
    expect(budget.reached).toBe('max-cost');
  });

  test('requireKnown() throws E_BUDGET, when a limit stands on what the server does not tell', () => {
    const uncounted = answer({ promptTokens: null, completionTokens: null });
    for (const limits of [{ maxTokens: 9 }, { maxCostUsd: 9 }]) {
      const budget = new Budget(limits, []);
      budget.requireKnown();
      expect(budget.spend([uncounted])).toEqual({ prompt_tokens: null, completion_tokens: null, cost_usd: null });
      expect(() => budget.requireKnown()).toThrow(expect.objectContaining({ code: 'E_BUDGET' }));
    }
  });

  test('requireKnown() throws E_BUDGET, when one answer of several is not counted or has no cost', () => {
    const half = answer({ promptTokens: null, costUsd: 0.1 });
    for (const [limits, mixed] of [
      [{ maxTokens: 9_999 }, [answer(), half]],
      [{ maxCostUsd: 9 }, [answer({ costUsd: 0.1 }), answer()]],
    ] as const) {
      const budget = new Budget(limits, []);
      budget.spend(mixed);
      expect(() => budget.requireKnown()).toThrow(expect.objectContaining({ code: 'E_BUDGET' }));
    }
  });

  test('requireKnown() throws nothing, when no answer was given or no limit stands', () => {
    const overflow = { type: 'context-overflow', message: 'too long' } as const;
    const limited = new Budget({ maxTokens: 9, maxCostUsd: 9 }, []);
    limited.spend([overflow]);
    limited.requireKnown();
    const free = new Budget({}, []);
    free.spend([answer()]);
    free.requireKnown();
    expect(free.reached).toBeNull();
  });
});
