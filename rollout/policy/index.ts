// The contract
export type { ModelOptions } from './model-options.ts';
export type { Assignment, OpenOptions, Player, Policy } from './policy.ts';
// Leaves, by name
export { isModelPolicy, makePolicy, policyForms } from './registry.ts';
