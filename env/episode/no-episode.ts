import { InputError } from '../errors.ts';

/** A call that needs an episode in another state; `found` says which it is in. */
export function noEpisode(found: string): InputError {
  return new InputError({ code: 'E_NO_EPISODE', what: 'Cannot use the episode', found });
}
