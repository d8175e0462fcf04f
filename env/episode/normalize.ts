const replacements: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d(?: \w+)? \d{4}\b/g,
    '<date>',
  ],
  [/\b\d{4}-\d\d-\d\d\b/g, '<date>'],
  [/\b\d\d:\d\d(?::\d\d)?\b/g, '<time>'],
  [/\b1[6-9]\d{8}(?:\.\d+)?\b/g, '<epoch>'],
  [/\/dev\/pts\/\d+/g, '<terminal>'],
  [/\bclient-\d+/g, '<client>'],
];

export interface Normalized {
  readonly text: string;
  /** Bytes of the original that a placeholder stands for. */
  readonly replacedBytes: number;
}

/**
 * Puts placeholders for what cannot repeat from one run to the next: dates, clock times, seconds since 1970, terminals
 * and tmux's client names. Process ids are not recognised, and may
 * differ by what the set-up had to ask until the world was there.
 */
export function normalizeObservation(text: string): Normalized {
  let replacedBytes = 0;
  let result = text;
  for (const [pattern, placeholder] of replacements) {
    result = result.replace(pattern, (match) => {
      replacedBytes += Buffer.byteLength(match);
      return placeholder;
    });
  }
  return { text: result, replacedBytes };
}
