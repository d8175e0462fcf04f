declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A task's name, such as `cliff-d3-n8-s42`; unique within a generator version. */
export type TaskId = Branded<'TaskId'>;

/** SHA-256 (64 hex digits) of a task's canonical JSON (RFC 8785). It names the task everywhere: resume, splits, Arrow. */
export type TaskHash = Branded<'TaskHash'>;

/** 256 random bits as 64 hex digits; secrets are derived from it. It never enters a sandbox. */
export type RunKey = Branded<'RunKey'>;
