/** One thing that a task was expected to prove and did not. */
export interface ValidationFailure {
  readonly task: string;
  /** `hash`, `round-trip`, `prompt`, `slots`, `reset`, `noop`, `naive`, `wrong`, `oracle:<name>`, `lazy:<name>`. */
  readonly check: string;
  readonly expected: string;
  readonly found: string;
}
