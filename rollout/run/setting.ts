import type { ResetOptions } from '../../env/index.ts';

/** How the episodes of a run are played; not a part of their tasks. */
export type PlaySetting = Required<Pick<ResetOptions, 'delivery' | 'clock' | 'shaping'>>;

export const defaultSetting: PlaySetting = { delivery: 'poll', clock: 'virtual', shaping: true };

/** What differs from the defaults, for the configuration of a run: runs from before there was a choice keep theirs. */
export function configOf({ delivery, clock, shaping }: PlaySetting): Readonly<Record<string, string>> {
  return {
    ...(delivery === defaultSetting.delivery ? {} : { delivery }),
    ...(clock === defaultSetting.clock ? {} : { clock }),
    ...(shaping ? {} : { shaping: 'off' }),
  };
}
