import type { LogEntry } from '../tmux/index.ts';
import { type Armed, isAbout, type Place, type Sight } from './kind.ts';

/** The pane was captured. */
export function captured(entry: LogEntry, place: Place): Sight | null {
  if (entry.type !== 'ran' || entry.name !== 'capture-pane' || !isAbout(entry, place)) return null;
  return { by: entry.name, armed: false };
}

/** A hook that somebody set ran for the worker. */
export function hooked(entry: LogEntry, place: Place, names: readonly string[]): Sight | null {
  if (entry.type !== 'hook' || !names.includes(entry.name) || !isAbout(entry, place)) return null;
  return { by: 'hook', armed: true };
}

/** A command was told that the pane is dead, or how it died. */
export function readDead(entry: LogEntry, place: Place): Sight | null {
  if (entry.type !== 'read' || !entry.format.startsWith('pane_dead') || !isAbout(entry, place)) return null;
  const dead = entry.format === 'pane_dead' ? entry.value === '1' : entry.value !== '';
  return dead ? { by: entry.command, armed: false } : null;
}

/** The alerts of tmux: the flag's own format, its letter in the window's flags, its hook, and what switches it on. */
export const alerts = {
  activity: { format: 'window_activity_flag', letter: '#', hook: 'alert-activity', monitor: 'monitor-activity' },
  bell: { format: 'window_bell_flag', letter: '!', hook: 'alert-bell', monitor: 'monitor-bell' },
  silence: { format: 'window_silence_flag', letter: '~', hook: 'alert-silence', monitor: 'monitor-silence' },
} as const;
type Alert = (typeof alerts)[keyof typeof alerts];

/** A command was told of the alert; armed where the agent had switched its monitor on. */
export function readAlert(entry: LogEntry, place: Place, alert: Alert, armed: Armed): Sight | null {
  if (entry.type !== 'read' || !isAbout(entry, place)) return null;
  const shown =
    entry.format === alert.format
      ? entry.value === '1'
      : (entry.format === 'window_flags' || entry.format === 'window_raw_flags') && entry.value.includes(alert.letter);
  return shown ? { by: entry.command, armed: armed.options.has(alert.monitor) } : null;
}

/** The pane's output went into a pipe. */
export function piped(armed: Armed): Sight | null {
  return armed.piped ? { by: 'pipe-pane', armed: true } : null;
}

/** The first that shows it. */
export function firstOf(...sights: readonly (Sight | null)[]): Sight | null {
  return sights.find((sight) => sight !== null) ?? null;
}
