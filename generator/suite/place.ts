import { type AST, parseTOML } from 'toml-eslint-parser';

/** A place in a text; both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

interface Entry {
  readonly path: readonly (string | number)[];
  readonly key: Place;
  readonly value: Place;
}

/**
 * Where a path stands in a TOML text: its value, or its key. Falls back to the innermost table or value around it, to
 * the first part of it that is there, and to the first line. The text must be valid TOML.
 */
export function findPlace(text: string, path: readonly (string | number)[], atKey: boolean): Place {
  let best: Entry | null = null;
  for (const entry of listEntries(text)) {
    const isPrefix = entry.path.length <= path.length && entry.path.every((part, index) => part === path[index]);
    if (isPrefix && entry.path.length >= (best?.path.length ?? 0)) best = entry;
  }
  best ??= listEntries(text).find((entry) => entry.path[0] === path[0]) ?? null;
  if (best === null) return { line: 1, column: 1 };
  return atKey || best.path.length < path.length ? best.key : best.value;
}

/** Three lines around a place, with a mark below it. */
export function formatFrame(text: string, { line, column }: Place): string {
  const lines = text.split(/\r?\n/);
  const width = String(line + 1).length;
  const shown = [line - 1, line, line + 1].flatMap((number) => {
    const content = lines[number - 1];
    if (content === undefined) return [];
    const row = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${content.slice(0, 160)}`;
    return number === line ? [row, `  ${' '.repeat(width)} | ${' '.repeat(Math.min(column, 160) - 1)}^`] : [row];
  });
  return shown.join('\n');
}

function listEntries(text: string): readonly Entry[] {
  const [top] = parseTOML(text, { tomlVersion: '1.1' }).body;
  return top.body.flatMap((node) => {
    if (node.type === 'TOMLKeyValue') return listKeyValue(node, []);
    const place = placeOf(node.key.loc);
    const table = { path: node.resolvedKey, key: place, value: place };
    return [table, ...node.body.flatMap((inner) => listKeyValue(inner, node.resolvedKey))];
  });
}

function listKeyValue({ key, value }: AST.TOMLKeyValue, base: readonly (string | number)[]): readonly Entry[] {
  const path = [...base, ...key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))];
  return [{ path, key: placeOf(key.loc), value: placeOf(value.loc) }, ...listInner(value, path)];
}

function listInner(value: AST.TOMLContentNode, path: readonly (string | number)[]): readonly Entry[] {
  if (value.type === 'TOMLInlineTable') return value.body.flatMap((inner) => listKeyValue(inner, path));
  if (value.type !== 'TOMLArray') return [];
  return value.elements.flatMap((element, index) => {
    const place = placeOf(element.loc);
    const inner = [...path, index];
    return [{ path: inner, key: place, value: place }, ...listInner(element, inner)];
  });
}

function placeOf({ start }: AST.SourceLocation): Place {
  return { line: start.line, column: start.column + 1 };
}
