import { createGym, createWeakenedGym, type Gym, InputError, type Rung } from '../../env/index.ts';
import { attack, isReached, playTwin, type Seen } from './attack.ts';
import { exploits } from './catalogue.ts';
import type { Exploit } from './exploit.ts';
import { makeRow, type RedTeamRow } from './row.ts';
import { changeTask } from './task-change.ts';
import { taskOf } from './tasks.ts';

export interface RedTeamOptions {
  /** @default bubblewrap, the rung that is promised to hold them all */
  readonly rung?: Rung | undefined;
  /** Ids of the rows to play. @default all */
  readonly only?: readonly string[] | undefined;
  /** `armed`: exploits and their honest twins; `disarmed`: exploits with their defence switched off. @default both */
  readonly part?: 'armed' | 'disarmed' | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onRow?: (row: RedTeamRow) => void;
}

const disarmedTries = 3;

/**
 * Plays the catalogue of exploits, one after another. Throws an InputError for an unknown row (`E_ROW`) and for the
 * `bare` rung (`E_RUNG`), on which an exploit would run as the caller.
 */
export async function runRedTeam(options: RedTeamOptions = {}): Promise<readonly RedTeamRow[]> {
  const { rung = 'bubblewrap', only, part, signal, onRow } = options;
  if (rung === 'bare') throw new InputError({ code: 'E_RUNG', what: 'Cannot play exploits as your own user' });
  await using gym = await createGym({ rung });
  const rows: RedTeamRow[] = [];
  for (const exploit of selectExploits(only)) {
    signal?.throwIfAborted();
    if (rung === 'uid' && exploit.uid?.holds === 'not played') continue;
    const armed = part !== 'disarmed';
    const row = makeRow(exploit, rung, {
      seen: armed ? await attack(gym, exploit, taskOf(exploit)) : null,
      twin: armed ? await playTwin(gym, exploit) : null,
      disarmed: part === 'armed' ? null : await tryDisarmed(gym, exploit),
    });
    rows.push(row);
    onRow?.(row);
  }
  return rows;
}

/** The rows of these ids, all of them where none are named. */
export function selectExploits(only?: readonly string[]): readonly Exploit[] {
  const unknown = only?.find((id) => !exploits.some((exploit) => exploit.id === id));
  if (unknown !== undefined) {
    const known = exploits.map(({ id }) => id).join(', ');
    throw new InputError({ code: 'E_ROW', what: 'Cannot play an unknown exploit', found: unknown, expected: known });
  }
  return exploits.filter(({ id }) => only?.includes(id) ?? true);
}

/**
 * Another defence that stands behind stops some tries: a world that does not hold still is not asked (24b). That one got
 * through is what shows what the defence that is off is for.
 */
async function tryDisarmed(gym: Gym, exploit: Exploit): Promise<Seen | null> {
  for (let tries = 1; ; tries++) {
    const seen = await attackDisarmed(gym, exploit);
    if (seen === null || tries === disarmedTries || isReached(exploit.aim, seen)) return seen;
  }
}

/** Null where that defence can be switched off on the bubblewrap rung only. */
async function attackDisarmed(gym: Gym, exploit: Exploit): Promise<Seen | null> {
  const { weakness, change } = exploit.disarm;
  const task = change === undefined ? taskOf(exploit) : { ...changeTask(taskOf(exploit), change) };
  if (weakness === undefined) return await attack(gym, exploit, task);
  if (gym.rung !== 'bubblewrap') return null;
  await using weakened = createWeakenedGym(weakness);
  return await attack(weakened, exploit, task);
}
