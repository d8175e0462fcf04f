/** What one probe of `doctor` found. `missing` must be mended, `weak` works with less, `absent` is optional. */
export interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'weak' | 'missing' | 'absent';
  readonly found: string;
  readonly expected: string;
  /** How to mend it; empty when nothing needs mending. */
  readonly mend: string;
}

/** Numbers first, then the letter that tmux puts behind: 3.3a is newer than 3.3. */
export function isAtLeastVersion(found: string, least: string): boolean {
  const [left, right] = [parseVersion(found), parseVersion(least)];
  if (left === null || right === null) return false;
  for (const [index, part] of right.entries()) {
    const difference = (left[index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function parseVersion(text: string): readonly number[] | null {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?([a-z])?/.exec(text);
  if (match === null) return null;
  const letter = match[4] === undefined ? 0 : match[4].charCodeAt(0) - 96;
  return [Number(match[1]), Number(match[2]), Number(match[3] ?? 0), letter];
}
