export type { Armed, KindRule, Place, Sight, Staging } from './kind.ts';
export { ruleOf } from './registry.ts';
