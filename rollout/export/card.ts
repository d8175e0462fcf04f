import type { ExportSource } from './export-source.ts';
import type { TableRows } from './tables.ts';

export interface CardParts {
  readonly source: ExportSource;
  readonly rows: TableRows;
  readonly version: string;
  readonly generator: string;
}

const descriptions: Readonly<Record<string, string>> = {
  tasks: 'one row a task, without answers: `task` is the whole frozen task as JSON',
  episodes: 'one row an episode: outcome, reward, checks, effort, timings',
  steps: 'one row a step: the action and what was seen after it',
  turns: 'one row an answer of a model: conversation, answer, token ids, log-probabilities, mask',
  events: 'one row an event: when it fired, was visible, perceived and reacted to',
};

/** The dataset card: a configuration for each table, so that `load_dataset(path, "episodes")` finds it. */
export function formatCard({ source, rows, version, generator }: CardParts): string {
  const tables = Object.entries(rows).filter(([, count]) => count > 0); // datasets refuses a split without rows
  const total = Math.max(0, ...tables.map(([, count]) => count));
  const policies = [...new Set((source.run?.records ?? []).map(({ policy, model }) => model ?? policy))];
  return [
    '---',
    'license: mit',
    'pretty_name: muxgym',
    'language:\n- en',
    'task_categories:\n- text-generation\n- reinforcement-learning',
    'tags:\n- tmux\n- agents\n- muxgym',
    `size_categories:\n- ${sizeCategory(total)}`,
    'configs:',
    ...tables.flatMap(([table]) => [
      `- config_name: ${table}`,
      ...(table === defaultTable(rows) ? ['  default: true'] : []),
      ...dataFiles(`data/${table}/*.parquet`),
    ]),
    '---',
    '',
    '# muxgym',
    '',
    source.run === null
      ? 'Tasks on real tmux servers, made by a seeded generator.'
      : `Episodes on real tmux servers, played by ${policies.join(', ') || 'nobody yet'}.`,
    '',
    '| configuration | rows | what |',
    '| :-- | --: | :-- |',
    ...tables.map(([table, count]) => `| ${table} | ${count} | ${descriptions[table] ?? ''} |`),
    '',
    `Made by muxgym ${version}, generator ${generator}; schema 2. Split: ${source.split ?? 'none'}.`,
    '',
    'Secrets of the tasks are drawn anew for each run, so no answer of this set solves a task elsewhere. Tasks of a',
    'held-out split must not be trained on: `muxgym split check` finds leaks by content hash.',
    '',
    '```python',
    'from datasets import load_dataset',
    '',
    `rows = load_dataset("PATH_OR_NAME", "${defaultTable(rows)}", split="train")`,
    '```',
    '',
  ].join('\n');
}

function defaultTable(rows: TableRows): string {
  return (rows.episodes ?? 0) > 0 ? 'episodes' : 'tasks';
}

function dataFiles(path: string): readonly string[] {
  return ['  data_files:', '  - split: train', `    path: ${path}`];
}

/** The Hub's own classes. */
function sizeCategory(rows: number): string {
  const classes = [
    [1e3, 'n<1K'],
    [1e4, '1K<n<10K'],
    [1e5, '10K<n<100K'],
    [1e6, '100K<n<1M'],
    [1e7, '1M<n<10M'],
  ] as const;
  return classes.find(([limit]) => rows < limit)?.[1] ?? '10M<n<100M';
}
