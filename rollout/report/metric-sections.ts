import { eventOutcomes } from '../../env/index.ts';
import type { ArmFigures } from './arm-figures.ts';
import type { CliffFigures } from './cliff-figures.ts';
import type { EffortFigures } from './effort-figures.ts';
import type { Ehc, EventFigures } from './event-figures.ts';
import {
  formatInterval,
  formatNumber,
  formatP,
  formatPercent,
  formatPoints,
  formatRate,
  formatSpread,
} from './format.ts';
import type { Metrics } from './metrics.ts';
import type { Rate } from './rate.ts';
import type { Bar, Section } from './section.ts';
import type { SuiteFigures } from './suite-figures.ts';

/** The metrics of one policy as tables; parts that have no episode are left out. */
export function makeMetricSections({ events, ehc, arms, effort, cliff, suite }: Metrics): readonly Section[] {
  const sections = [
    events.length === 0 ? [] : makeEventSections(events, ehc),
    makeArmSection(arms),
    cliff.length === 0 ? [] : [makeCliffSection(cliff)],
    suite.categories.length + suite.tiers.length === 0 ? [] : [makeSuiteSection(suite)],
    [makeEffortSection(effort)],
  ];
  return sections.flat();
}

function makeEventSections(events: readonly EventFigures[], ehc: Ehc): readonly Section[] {
  return [
    {
      id: 'events',
      title: 'Events, by kind',
      table: {
        columns: [{ title: 'kind', align: 'left' }, ...eventColumns.map(({ title }) => ({ title }))],
        rows: events.map((row) => [row.kind, ...eventColumns.map(({ value }) => value(row))]),
      },
      charts: [
        { type: 'bars', title: 'Missed-event rate', bars: events.map(({ kind, missed }) => toBar(kind, missed)) },
      ],
      notes: [
        `EHC ${ehc.value === null ? '-' : ehc.value.toFixed(3)} (${formatBoundsOf(ehc)}), ${ehc.events} events of ${ehc.kinds} kinds.`,
        'Missed: 1 - handled / events, over events that fired or that the agent left before they did. Latency: ticks from visible to perceived, median and quartiles. Armed: of the perceived, those that came by what was set before. Polls: looks at the target before it showed.',
      ],
    },
    {
      id: 'outcomes',
      title: 'Events, by outcome',
      table: {
        columns: [{ title: 'kind', align: 'left' }, ...eventOutcomes.map((title) => ({ title }))],
        rows: events.map(({ kind, outcomes }) => [kind, ...eventOutcomes.map((name) => String(outcomes[name] ?? 0))]),
      },
      charts: [],
      notes: ['not-fired and void are in no denominator.'],
    },
  ];
}

const eventColumns: readonly { readonly title: string; readonly value: (row: EventFigures) => string }[] = [
  { title: 'events', value: ({ events }) => String(events) },
  { title: 'missed', value: ({ missed }) => formatRate(missed) },
  { title: 'never perceived', value: ({ never_perceived }) => formatRate(never_perceived) },
  { title: 'latency', value: ({ notice_latency }) => formatSpread(notice_latency) },
  { title: 'reaction accuracy', value: ({ reaction_accuracy }) => formatRate(reaction_accuracy) },
  { title: 'armed', value: ({ armed }) => formatRate(armed) },
  { title: 'polls', value: ({ polls }) => formatSpread(polls) },
];

function formatBoundsOf({ ci_low, ci_high }: Ehc): string {
  return ci_low === null || ci_high === null ? 'no draw differs' : `${ci_low.toFixed(3)} to ${ci_high.toFixed(3)}`;
}

/** A rate as a bar. */
export function toBar(label: string, { rate, ci_low, ci_high, count, n }: Rate): Bar {
  return { label, share: rate, low: ci_low, high: ci_high, count: `${formatNumber(count)}/${n}` };
}

function makeArmSection(arms: ArmFigures): readonly Section[] {
  const { missing_event_effect: effect, published_control: control, false_alarms, d_prime } = arms;
  const rows = [
    ...(effect === null
      ? []
      : [
          ['missing-event effect, pass(told) - pass(event)', formatPoints(effect), `${effect.tasks} tasks`],
          [
            '  pass(event), pass(told)',
            `${formatPercent(effect.passed_event)}, ${formatPercent(effect.passed_told)}`,
            '',
          ],
          [
            '  exact McNemar',
            `p = ${formatP(effect.p)}`,
            `${effect.only_told} only told, ${effect.only_event} only event, of ${effect.pairs}`,
          ],
        ]),
    ...(control === null ? [] : [['published control, pass(A) - pass(B)', formatPoints(control), 'different tasks']]),
    ...(false_alarms.n === 0 ? [] : [['false-alarm rate', formatRate(false_alarms), 'of none episodes']]),
    ...(d_prime === null
      ? []
      : [
          [
            "sensitivity d'",
            `${d_prime.value.toFixed(2)} (${d_prime.ci_low?.toFixed(2) ?? '-'} to ${d_prime.ci_high?.toFixed(2) ?? '-'})`,
            `${d_prime.hits}/${d_prime.signals} hits, ${d_prime.false_alarms}/${d_prime.noises} false alarms`,
          ],
        ]),
  ];
  if (rows.length === 0) return [];
  const columns = [
    { title: 'arms', align: 'left' },
    { title: 'figure (95 %)' },
    { title: 'from', align: 'left' },
  ] as const;
  return [
    { id: 'arms', title: 'Arms: noticing apart from fluency', table: { columns, rows }, charts: [], notes: [armNote] },
  ];
}

const armNote =
  "A positive effect of telling is what noticing costs: the told arm needs the same handling. Hits and false alarms of d' are episodes with a reaction, in the event and in the none arm; log-linear corrected.";

function makeCliffSection(cliff: readonly CliffFigures[]): Section {
  return {
    id: 'cliff',
    title: 'The cliff',
    table: {
      columns: [{ title: 'suite', align: 'left' }, { title: 'reach' }, { title: 'tmux tax, pass(D0) - pass(D1)' }],
      rows: cliff.map(({ suite, reach, tmux_tax }) => [
        suite,
        reach === null ? 'none' : `D${reach}`,
        tmux_tax === null ? '-' : formatPoints(tmux_tax),
      ]),
    },
    charts: [],
    notes: ['Reach: the deepest depth whose Wilson lower bound is at least 50 %, all shallower ones too.'],
  };
}

function makeSuiteSection({ categories, tiers, score }: SuiteFigures): Section {
  const bars = categories.map(({ category, passed }) => toBar(category, passed));
  return {
    id: 'suite',
    title: 'The suite, by category and tier',
    table: {
      columns: [{ title: 'tasks', align: 'left' }, { title: 'passed' }, { title: 'missed events' }],
      rows: [
        ...categories.map(({ category, passed, missed }) => [category, formatRate(passed), formatRate(missed)]),
        ...tiers.map(({ tier, passed }) => [`tier T${tier}`, formatRate(passed), '']),
      ],
    },
    charts: bars.length === 0 ? [] : [{ type: 'bars', title: 'Pass rate by category', bars }],
    notes: score === null ? [] : [`Score, tiers T1 to T4 weighing 1 to 4: ${formatShareOf(score)}.`],
  };
}

function formatShareOf({ value, ci_low, ci_high }: NonNullable<SuiteFigures['score']>): string {
  return `${formatPercent(value)} (${formatInterval(ci_low, ci_high)})`;
}

function makeEffortSection({
  steps,
  ticks,
  efficiency,
  error_recovery,
  format_failures,
  truncated,
}: EffortFigures): Section {
  const cut = Object.entries(truncated).map(([reason, rate]) => [`cut by ${reason}`, formatRate(rate)]);
  return {
    id: 'effort',
    title: 'Effort and failures',
    table: {
      columns: [{ title: 'what', align: 'left' }, { title: 'figure' }],
      rows: [
        ['steps an episode', formatSpread(steps)],
        ['ticks an episode', formatSpread(ticks)],
        ['efficiency, tmux commands / shortest oracle', formatSpread(efficiency?.all ?? null)],
        ['  of passed episodes', formatSpread(efficiency?.passed ?? null)],
        ['error recovery, passed after a failed command', formatRate(error_recovery)],
        ['format-failure rate, of model turns', formatRate(format_failures)],
        ...cut,
      ],
    },
    charts: [],
    notes: [
      'Steps, ticks and efficiency: median and quartiles. Shares: n, rate and 95 % interval.',
      ...(efficiency === null ? ['Efficiency needs the run of an oracle on the same tasks beside this one.'] : []),
    ],
  };
}

/** One line for planning the next run. */
export function formatPower({ power }: Metrics): string | null {
  if (power === null) return null;
  const { rate, difference, tasks, played } = power;
  const points = `${Math.abs(100 * difference).toFixed(0)} points ${difference > 0 ? 'more' : 'less'}`;
  return `To see ${points} than ${formatPercent(rate)} at 80 % power, each of two policies needs ${tasks} tasks (played: ${played}; fewer where both play the same tasks, see compare).`;
}
