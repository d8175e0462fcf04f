export { type ActionEnd, type ActionLimits, type ClockOptions, tickMs, VirtualClock } from './virtual-clock.ts';
