import type { ComparedRow, ComparedSide, Comparison } from './comparison.ts';
import { formatP, formatPercent, formatPoints, formatRate } from './format.ts';
import type { Section } from './section.ts';

/** The tables of a comparison, and what could not be compared. */
export function makeComparisonSections(comparison: Comparison): readonly Section[] {
  const { a, b, rows, total, power } = comparison;
  const lines = [...rows, total];
  return [
    {
      id: 'comparison',
      title: `A: ${nameOf(a)}; B: ${nameOf(b)}`,
      table: {
        columns: [{ title: 'tasks', align: 'left' }, ...columns.map(({ title }) => ({ title }))],
        rows: lines.map((row) => [row.label, ...columns.map(({ value }) => value(row))]),
      },
      charts: [
        {
          type: 'bars',
          title: 'Pass rate on the tasks that both played',
          bars: lines.flatMap((row) =>
            (['a', 'b'] as const).map((side) => ({
              label: `${row.label} ${side.toUpperCase()}`,
              share: row[side].rate,
              low: row[side].ci_low,
              high: row[side].ci_high,
              count: `${row[side].count}/${row[side].n}`,
            })),
          ),
        },
      ],
      notes: [
        'B - A: paired bootstrap over cells and tasks. McNemar: exact, over pairs that only one side passed. Fisher: exact, two-sided, for trained against base, takes episodes for independent. Holm: over the rows.',
        ...(power === null
          ? []
          : [
              `To see ${formatPercent(power.difference)} at 80 % power where ${formatPercent(power.discordant)} of the pairs differ: ${power.tasks} tasks on both sides (compared: ${total.tasks}).`,
            ]),
        ...describeMissing('A', a),
        ...describeMissing('B', b),
      ],
    },
  ];
}

const columns: readonly { readonly title: string; readonly value: (row: ComparedRow) => string }[] = [
  { title: 'n', value: ({ tasks }) => String(tasks) },
  { title: 'A (95 %)', value: ({ a }) => formatRate(a) },
  { title: 'B (95 %)', value: ({ b }) => formatRate(b) },
  { title: 'B - A, paired', value: formatPaired },
  { title: 'only A, only B', value: ({ only_a, only_b }) => `${only_a}, ${only_b}` },
  { title: 'McNemar p', value: ({ mcnemar }) => formatP(mcnemar) },
  { title: 'Holm', value: ({ mcnemar_holm }) => formatP(mcnemar_holm) },
  { title: 'Fisher p', value: ({ fisher }) => formatP(fisher) },
  { title: 'Holm', value: ({ fisher_holm }) => formatP(fisher_holm) },
];

function nameOf({ file, policy, model }: ComparedSide): string {
  return `${model === null ? policy : `${policy}, model ${model}`} (${file})`;
}

function formatPaired({ paired }: ComparedRow): string {
  if (paired === null) return '-';
  const { difference, low, high } = paired;
  const exact = low === high;
  return formatPoints({ difference, ci_low: exact ? null : low, ci_high: exact ? null : high });
}

function describeMissing(name: string, { missing, masked }: ComparedSide): readonly string[] {
  const shown = missing.slice(0, 20).join(', ');
  const rest = missing.length > 20 ? ` and ${missing.length - 20} more` : '';
  return [
    ...(missing.length === 0 ? [] : [`Missing in ${name} (${missing.length}): ${shown}${rest}.`]),
    ...(masked === 0 ? [] : [`Masked in ${name}, in no figure: ${masked}.`]),
  ];
}
