/** The parts of the machinery that can fail. */
export const boundaries = ['tmux', 'sandbox', 'model', 'task', 'grader', 'bridge'] as const;
export type Boundary = (typeof boundaries)[number];

/** The parts of an error message: `error[CODE]: what, where, expected, found`, then a hint. */
export interface ErrorFacts {
  /** Stable and listed in the docs, such as `E_DEPTH`. */
  readonly code: string;
  readonly what: string;
  readonly where?: string;
  readonly expected?: string;
  readonly found?: string;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A user's mistake: a flag, a file, a frame. Nothing was run. Exit code 2 on the command line. */
export class InputError extends TypeError {
  override readonly name = 'InputError';
  readonly code: string;
  readonly facts: ErrorFacts;

  constructor(facts: ErrorFacts) {
    super(formatFacts(facts), { cause: facts.cause });
    this.code = facts.code;
    this.facts = facts;
  }
}

/** The machinery broke, at a named boundary; whatever episode it hit is masked. Exit code 3 on the command line. */
export class BoundaryError extends Error {
  override readonly name = 'BoundaryError';
  readonly code: string;
  readonly boundary: Boundary;
  readonly facts: ErrorFacts;

  constructor(boundary: Boundary, facts: ErrorFacts) {
    super(formatFacts(facts), { cause: facts.cause });
    this.code = facts.code;
    this.boundary = boundary;
    this.facts = facts;
  }
}

/** One line without the code: `what, at where: expected …, found …`. */
export function formatFacts(facts: ErrorFacts): string {
  const place = facts.where === undefined ? '' : `, at ${facts.where}`;
  const expected = facts.expected === undefined ? '' : `: expected ${facts.expected}`;
  const found = facts.found === undefined ? '' : `, found ${facts.found}`;
  return `${facts.what}${place}${expected}${found}`;
}
