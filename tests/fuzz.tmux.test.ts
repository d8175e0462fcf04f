import { expect, test } from 'vitest';
import { makeHostileEpisode, runFuzz } from '../rollout/redteam/index.ts';

/** A long run: `MUXGYM_FUZZ_EPISODES=20000 MUXGYM_FUZZ_SEED=1 npx vitest run --project tmux tests/fuzz.tmux.test.ts`. */
const episodes = Number(process.env['MUXGYM_FUZZ_EPISODES'] ?? 30);
const seed = Number(process.env['MUXGYM_FUZZ_SEED'] ?? 0);

test(`none of ${episodes} hostile episodes passes, is masked, breaks the gym or leaves anything; killed ones are masked`, {
  timeout: 120_000 + episodes * 3_000,
}, async () => {
  const report = await runFuzz({ episodes, seed, faultEvery: 10 });
  expect(report.findings).toEqual([]);
  expect(report).toMatchObject({
    episodes,
    faults: Math.floor(episodes / 10),
    faultsMasked: Math.floor(episodes / 10),
  });
  expect(report.scored + report.flagged + report.faultsMasked).toBe(episodes);
});

test('makeHostileEpisode() gives the same scripts, when the seed is the same, and others for another', () => {
  expect(makeHostileEpisode(7)).toEqual(makeHostileEpisode(7));
  const scripts = Array.from({ length: 200 }, (_, each) => JSON.stringify(makeHostileEpisode(each).scripts));
  expect(new Set(scripts).size).toBe(200);
});
