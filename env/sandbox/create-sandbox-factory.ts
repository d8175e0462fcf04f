import { BoundaryError, InputError } from '../errors.ts';
import { BubblewrapFactory } from './bubblewrap.ts';
import { type HostPrograms, prepareHostPrograms } from './host-programs.ts';
import { PlainFactory } from './plain.ts';
import { isAtLeast, type Rung, rungs } from './rung.ts';
import type { SandboxFactory } from './sandbox.ts';
import { StateFolder } from './state-folder.ts';

/** The factory of the chosen rung, with what it holds on this machine. */
export interface SandboxFactories {
  readonly factory: SandboxFactory;
  readonly tmuxVersion: string;
  /** Removes the state folder; every sandbox must be closed before. */
  close(): void;
}

export interface FactoryOptions {
  /** Exactly this rung; otherwise the best that works. */
  readonly rung?: Rung | undefined;
  /** The lowest that will do. */
  readonly minRung: Rung;
}

/**
 * Tries the rungs from the strongest down by starting a sandbox on each, and takes the first that works. Throws an
 * InputError (`E_RUNG`) where none at or above `minRung` does, naming why each failed.
 */
export async function createSandboxFactory({ rung, minRung }: FactoryOptions): Promise<SandboxFactories> {
  const state = StateFolder.create();
  try {
    const programs = prepareHostPrograms(state.path);
    const factory = await findFactory(state, programs, { rung, minRung });
    return { factory, tmuxVersion: programs.tmuxVersion, close: () => state.close() };
  } catch (error) {
    state.close();
    throw error;
  }
}

async function findFactory(
  state: StateFolder,
  programs: HostPrograms,
  { rung, minRung }: FactoryOptions,
): Promise<SandboxFactory> {
  const failures: string[] = [];
  for (const candidate of rungs) {
    if (rung === undefined ? !isAtLeast(candidate, minRung) : candidate !== rung) continue;
    const factory = makeFactory(candidate, state, programs);
    const failure = await tryFactory(factory);
    if (failure === null) return factory;
    failures.push(`${candidate}: ${failure}`);
  }
  throw new InputError({
    code: 'E_RUNG',
    what: 'Cannot isolate episodes here',
    expected: rung ?? `${minRung} or better`,
    found: failures.join('; '),
    hint: 'Run "muxgym doctor" to see what is missing',
  });
}

function makeFactory(rung: Rung, state: StateFolder, programs: HostPrograms): SandboxFactory {
  switch (rung) {
    case 'bubblewrap':
      return new BubblewrapFactory(state, programs);
    case 'uid':
    case 'bare':
      return new PlainFactory(rung, state, programs);
  }
}

/** Null where a sandbox starts, else why it does not. */
async function tryFactory(factory: SandboxFactory): Promise<string | null> {
  try {
    const sandbox = await factory.create();
    const { code } = await sandbox.launcher.run({ argv: ['test', '-w', sandbox.homeInside] }).exited;
    await sandbox.close();
    return code === 0 ? null : `HOME cannot be written inside, at ${sandbox.homeInside}`;
  } catch (error) {
    if (error instanceof BoundaryError) return error.message;
    throw error;
  }
}
