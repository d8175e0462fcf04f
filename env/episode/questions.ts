import type { Evidence } from '../evidence/index.ts';
import type { ProbeRead } from '../grade/index.ts';
import { pause } from '../sandbox/index.ts';
import type { FrozenWorld } from '../world/index.ts';
import type { EpisodeStage } from './stage.ts';

export interface QuestionsOptions {
  /** Null where nothing may be asked. */
  readonly frozen: FrozenWorld | null;
  /** Null where nothing tells whether the world held still. */
  readonly stage: EpisodeStage | null;
  readonly evidence: Evidence;
}

/** A world that something still moves is asked again: so often, and for so long in real milliseconds, at least. */
const leastTries = 4;
const patienceMs = 2_000;
const longestPauseMs = 200;

const disturbed: ProbeRead = { type: 'refused', reason: 'disturbed' };
export const notAsked: ProbeRead = { type: 'refused', reason: 'tampered' };

/**
 * What is asked of the frozen world, in such a way that all answers are of one moment: what the server's record shows
 * while it is asked may only be the questions. tmux wakes the programs of its panes, so something may move.
 */
export class Questions {
  readonly #options: QuestionsOptions;
  #asked = 0;
  #isDisturbed = false;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** Asks until nothing else moved meanwhile; null where that does not come. */
  async untilStill<Answers>(ask: () => Promise<Answers>): Promise<Answers | null> {
    const { stage } = this.#options;
    if (this.#options.frozen === null || stage === null) return await ask();
    const deadline = performance.now() + patienceMs;
    let pauseMs = 5;
    for (let tries = 0; tries < leastTries || performance.now() < deadline; tries++) {
      if (tries > 0) await pause(pauseMs);
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
      // What moved in the pause spoils no answer.
      stage.watch();
      this.#asked = 0;
      this.#isDisturbed = false;
      const answers = await ask();
      if (stage.watch() === this.#asked && !this.#isDisturbed) return answers;
    }
    return null;
  }

  async ask(argv: readonly string[]): Promise<ProbeRead> {
    const { frozen, evidence } = this.#options;
    if (frozen === null || !evidence.tamper.isClean) return notAsked;
    // The round is lost: what else it would ask is asked in the next.
    if (this.#isDisturbed) return disturbed;
    const answer = await frozen.ask(argv);
    if (answer.type === 'text' || answer.type === 'failed') this.#asked++;
    switch (answer.type) {
      case 'text':
        return answer;
      case 'failed':
        return { type: 'refused', reason: `exit-${answer.code}` };
      case 'gone':
        return { type: 'refused', reason: 'no-server' };
      case 'late':
        evidence.tamper.flag('server-stopped');
        return { type: 'refused', reason: 'server-stopped' };
      case 'disturbed':
        this.#isDisturbed = true;
        return disturbed;
      case 'moving':
        return { type: 'refused', reason: 'not-frozen' };
    }
  }
}
