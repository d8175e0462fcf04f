export { exitWithin } from './action.ts';
export { type ActionEnd, type ActionLimits, type Clock, type ClockOptions, type Stage, tickMs } from './clock.ts';
export { runInRealTime } from './real-time.ts';
export { untilSettled } from './settle.ts';
export { Solitude } from './solitude.ts';
export { VirtualClock } from './virtual-clock.ts';
export { WallClock } from './wall-clock.ts';
