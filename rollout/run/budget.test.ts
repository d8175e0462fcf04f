import { describe, expect, test } from 'vitest';
import { type Turn, turnSchema } from '../loop/index.ts';
import { rolloutRecordSchema } from '../record/index.ts';
import { Budget } from './budget.ts';

const turn = (changes: Partial<Turn> = {}): Turn => ({
  ...turnSchema.parse({
    ...{ messages: [], answer: 'a', finish_reason: 'stop', step: 1, format_failure: null, model_ms: 1 },
    ...{ prompt_tokens: 30, completion_tokens: 10, prompt_ids: null, completion_ids: null, logprobs: null },
  }),
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
    expect(budget.spend([turn()])).toMatchObject({ prompt_tokens: 30, completion_tokens: 10 });
    expect(budget.reached).toBe('max-tokens');
  });

  test('counts the cost that the server says, else the price', () => {
    const price = { prompt: 1, completion: 10 };
    const budget = new Budget({ maxCostUsd: 0.5, price }, []);
    expect(budget.spend([turn()]).cost_usd).toBeCloseTo(130 / 1e6, 12);
    expect(budget.spend([turn({ cost_usd: 0.6 })]).cost_usd).toBe(0.6);
    expect(budget.reached).toBe('max-cost');
  });

  test('requireKnown() throws E_BUDGET, when a limit stands on what the server does not tell', () => {
    const uncounted = turn({ prompt_tokens: null, completion_tokens: null });
    for (const limits of [{ maxTokens: 9 }, { maxCostUsd: 9 }]) {
      const budget = new Budget(limits, []);
      budget.requireKnown();
      expect(budget.spend([uncounted])).toEqual({ prompt_tokens: null, completion_tokens: null, cost_usd: null });
      expect(() => budget.requireKnown()).toThrow(expect.objectContaining({ code: 'E_BUDGET' }));
    }
  });

  test('requireKnown() throws nothing, when no answer was given or no limit stands', () => {
    const overflow = turn({ answer: null, prompt_tokens: null, completion_tokens: null });
    const limited = new Budget({ maxTokens: 9, maxCostUsd: 9 }, []);
    limited.spend([overflow]);
    limited.requireKnown();
    const free = new Budget({}, []);
    free.spend([turn()]);
    free.requireKnown();
    expect(free.reached).toBeNull();
  });
});
