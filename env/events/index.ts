export { type Armed, isAbout, type KindRule, type Place, type Sight, type Staging } from './kind.ts';
export { ruleOf } from './registry.ts';
