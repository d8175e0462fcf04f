import { type Episode, isJudged } from './episode.ts';
import { makeSpread, type Spread } from './event-figures.ts';
import { countWhere, sumOf } from './group.ts';
import { makeRate, type Rate } from './rate.ts';

/** What episodes cost and how they went wrong. Masked ones are in none of it. */
export interface EffortFigures {
  readonly steps: Spread | null;
  readonly ticks: Spread | null;
  /**
   * tmux commands of the agent (the server's record) over those of the shortest oracle; null where no episode has
   * both. `passed` leaves out episodes that gave up, which are cheap.
   */
  readonly efficiency: { readonly all: Spread; readonly passed: Spread | null } | null;
  /** The pass share among episodes in which a command failed. */
  readonly error_recovery: Rate;
  /** Model turns without a valid action / model turns; n is 0 for scripted policies. */
  readonly format_failures: Rate;
  readonly truncated: Readonly<Record<'steps' | 'ticks' | 'time' | 'context', Rate>>;
}

export function makeEffortFigures(episodes: readonly Episode[]): EffortFigures {
  const judged = episodes.filter(isJudged);
  const failing = judged.filter(({ failed_commands }) => (failed_commands ?? 0) > 0);
  const by = (reason: string) =>
    makeRate(
      countWhere(judged, ({ truncated_by }) => truncated_by === reason),
      judged.length,
    );
  return {
    steps: makeSpread(judged.map(({ steps }) => steps)),
    ticks: makeSpread(judged.map(({ ticks }) => ticks)),
    efficiency: makeEfficiency(judged),
    error_recovery: makeRate(
      countWhere(failing, ({ passed }) => passed),
      failing.length,
    ),
    format_failures: makeFormatFailures(judged),
    truncated: { steps: by('steps'), ticks: by('ticks'), time: by('time'), context: by('context') },
  };
}

function makeEfficiency(judged: readonly Episode[]): EffortFigures['efficiency'] {
  const all = makeSpread(judged.flatMap(ratioOf));
  if (all === null) return null;
  return { all, passed: makeSpread(judged.filter(({ passed }) => passed).flatMap(ratioOf)) };
}

function ratioOf({ agent_commands, oracle_commands }: Episode): readonly number[] {
  return agent_commands === null || oracle_commands === null || oracle_commands === 0
    ? []
    : [agent_commands / oracle_commands];
}

/** Over episodes whose turns are known: a turn may be several steps, and those of older records were not kept. */
function makeFormatFailures(judged: readonly Episode[]): Rate {
  const asked = judged.filter(({ model, model_turns }) => model !== null && (model_turns ?? 0) > 0);
  return makeRate(
    sumOf(asked, ({ format_failures }) => format_failures),
    sumOf(asked, ({ model_turns }) => model_turns ?? 0),
  );
}
