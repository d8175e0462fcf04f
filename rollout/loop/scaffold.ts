import { execa } from 'execa';
import { BoundaryError, InputError } from '../../env/index.ts';
import type { ModelClient } from '../client/index.ts';
import type { Loop, LoopOptions, Play, Sampling, Seat } from './loop.ts';
import { formatOpening, ScaffoldDialogue } from './scaffold-dialogue.ts';
import { type ProgramEnd, startScaffoldProgram } from './scaffold-program.ts';

/** Real milliseconds that a program has to end by itself, once its episode is over. */
const graceMs = 5_000;

/**
 * An outside agent plays: a program per episode, which sends its actions as JSON lines and may ask the model of the run
 * in the same way. Its end with status 0 says that it is done. Throws an InputError (`E_SCAFFOLD`) without a command.
 */
export function makeScaffoldLoop({ scaffold, scaffoldSilenceMs: silenceMs = 600_000 }: LoopOptions): Loop {
  if (scaffold === undefined || scaffold.trim() === '') throw scaffoldMissing('none');
  return {
    name: 'scaffold',
    config: { scaffold },
    prepare: () => requireProgram(scaffold),
    play: (seat, client, sampling) => playScaffold({ scaffold, silenceMs }, seat, client, sampling),
  };
}

function scaffoldMissing(found: string): InputError {
  return new InputError({
    code: 'E_SCAFFOLD',
    what: 'Cannot run an outside agent',
    where: '--scaffold',
    expected: 'the command of a program that speaks JSON lines, as rollout/loop/README.md says',
    found,
  });
}

/** Looks up the first word, so that a missing program is told before anything is played. */
async function requireProgram(command: string): Promise<void> {
  const word = /^\s*([\w./+-]+)(?=\s|$)/.exec(command)?.[1];
  if (word === undefined) return;
  const { failed } = await execa('/bin/sh', ['-c', 'command -v -- "$1"', 'sh', word], { reject: false });
  if (failed) throw scaffoldMissing(`no program "${word}"`);
}

interface Scaffold {
  readonly scaffold: string;
  readonly silenceMs: number;
}

async function playScaffold(
  { scaffold, silenceMs }: Scaffold,
  seat: Seat,
  client: ModelClient,
  sampling: Sampling,
): Promise<Play> {
  const { task, sample, signal } = seat;
  if (signal.aborted) return { turns: [], truncatedBy: 'time' };
  const dialogue = new ScaffoldDialogue(seat, client, sampling);
  const env = { MUXGYM_TASK: task.id, MUXGYM_SAMPLE: String(sample), MUXGYM_MODEL: client.model };
  await using program = startScaffoldProgram({ command: scaffold, env, silenceMs, signal });
  program.send(formatOpening(seat, client.model));
  for await (const line of program.lines) {
    program.send(await dialogue.answer(line));
    if (dialogue.over || signal.aborted) break;
  }
  const end = await program.end(graceMs);
  const { turns } = dialogue;
  if (dialogue.over) return { turns: dialogue.turns, truncatedBy: null };
  if (signal.aborted) return { turns, truncatedBy: 'time' };
  if (dialogue.overflowed) return { turns, truncatedBy: 'context' };
  requireGoodEnd(scaffold, silenceMs, end);
  await dialogue.finish();
  return { turns: dialogue.turns, truncatedBy: null };
}

/** A program that crashed or hangs is broken machinery, not an agent that failed. */
function requireGoodEnd(scaffold: string, silenceMs: number, { exitCode, silent, errorTail }: ProgramEnd): void {
  if (exitCode === 0 && !silent) return;
  throw new BoundaryError('model', {
    code: 'E_SCAFFOLD',
    what: 'The outside agent broke',
    where: scaffold,
    expected: 'status 0 at its end',
    found: `${silent ? `nothing for ${silenceMs / 1_000} s` : `status ${exitCode}`}: ${errorTail}`,
  });
}
