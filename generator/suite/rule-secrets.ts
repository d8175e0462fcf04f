import type { TaskFile } from './file-schema.ts';
import type { FilePath, Problem } from './problem.ts';

/** Secrets stand where the task puts them and nowhere else. */
export function findSecretProblems(file: TaskFile): readonly Problem[] {
  return [...findTold(file), ...findNumbers(file), ...findUnplaced(file)];
}

function findTold({ title, prompt, teaches = '', solutions, reference = '' }: TaskFile): readonly Problem[] {
  const told = [
    { text: title, path: ['title'] },
    { text: teaches, path: ['teaches'] },
    { text: prompt, path: ['prompt'] },
    { text: reference, path: ['reference'] },
    ...listTexts(solutions, ['solutions']),
  ];
  return told.flatMap(({ text, path }) => {
    const secret =
      /\{\{slot:\d+\}\}/.exec(text)?.[0] ?? (path[0] === 'prompt' ? /\b[0-9a-f]{8}\b/.exec(text)?.[0] : undefined);
    if (secret === undefined) return [];
    return [
      {
        code: 'E_TASK_SECRET',
        what: `Cannot tell a secret in "${path.join('.')}"`,
        path,
        expected: 'no slot and no 8 hex digits',
        found: secret,
      },
    ];
  });
}

function findNumbers({ slots, plan, workers, events, checks }: TaskFile): readonly Problem[] {
  return listTexts({ plan, workers, events, checks }, []).flatMap(({ text, path }) => {
    const bad = slotsIn(text).find((slot) => slot >= slots);
    if (bad === undefined) return [];
    return [
      {
        code: 'E_TASK_SLOT',
        what: 'Cannot fill a slot',
        path,
        expected: slots === 0 ? 'no slot, since slots = 0' : `slots 0 to ${slots - 1}`,
        found: `{{slot:${bad}}}`,
      },
    ];
  });
}

/** Each secret appears in the world, and in a check: else nobody could find it, or nobody would ask for it. */
function findUnplaced({ slots, plan, workers, events, checks }: TaskFile): readonly Problem[] {
  const shown = new Set(listTexts({ plan, workers, events }, []).flatMap(({ text }) => slotsIn(text)));
  const unreachable = checks.flatMap((check, index) => {
    const missing = listTexts(check, [])
      .flatMap(({ text }) => slotsIn(text))
      .find((slot) => slot < slots && !shown.has(slot));
    return missing === undefined ? [] : [unreached(index, missing)];
  });
  const idle = Array.from({ length: slots }, (_, slot) => slot).filter((slot) => !shown.has(slot));
  if (idle.length === 0 || unreachable.length > 0) return unreachable;
  const found = `nothing that shows ${idle.map((slot) => `{{slot:${slot}}}`).join(', ')}`;
  return [{ code: 'E_TASK_SLOT', what: 'Cannot use a secret', path: ['slots'], expected: 'each one placed', found }];
}

function unreached(index: number, slot: number): Problem {
  return {
    code: 'E_TASK_UNREACHABLE',
    what: 'Cannot hold a check that nobody can meet',
    path: ['checks', index],
    expected: `{{slot:${slot}}} somewhere in the world`,
    found: 'nothing that shows it',
  };
}

function slotsIn(text: string): readonly number[] {
  return [...text.matchAll(/\{\{slot:(\d+)\}\}/g)].map((match) => Number(match[1]));
}

interface Text {
  readonly text: string;
  readonly path: FilePath;
}

function listTexts(value: unknown, path: FilePath): readonly Text[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (Array.isArray(value)) return value.flatMap((inner, index) => listTexts(inner, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => listTexts(inner, [...path, key]));
}
