export { isAtLeast, type Rung, rungs } from './rung.ts';
