export { checkLeaks, type Leak, type LeakReport } from './check-leaks.ts';
export { explainHeldOut } from './held-out.ts';
export { type LeakRow, readRows } from './row.ts';
