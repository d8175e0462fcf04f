export { checkLeaks, explainHeldOut, type Leak, type LeakReport } from './check-leaks.ts';
export { type LeakRow, readRows } from './row.ts';
