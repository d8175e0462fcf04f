import { BubblewrapFactory } from '../bubblewrap.ts';
import type { SandboxFactories } from '../create-sandbox-factory.ts';
import { prepareHostPrograms } from '../host-programs.ts';
import type { Sandbox, SandboxFactory, SandboxOptions } from '../sandbox.ts';
import { StateFolder } from '../state-folder.ts';
import { takeUpHabit } from './habits.ts';
import { removeWall } from './walls.ts';
import type { Weakness } from './weakness.ts';

/** The bubblewrap rung with one defence switched off. For the red team, and for nothing else. */
export function createWeakenedFactory(weakness: Weakness): SandboxFactories {
  const state = StateFolder.create();
  try {
    const programs = prepareHostPrograms(state.path);
    const walled = new BubblewrapFactory(state, programs, removeWall(weakness, programs, state.path));
    return {
      factory: new WeakenedFactory(walled, weakness),
      tmuxVersion: programs.tmuxVersion,
      close: () => state.close(),
    };
  } catch (error) {
    state.close();
    throw error;
  }
}

class WeakenedFactory implements SandboxFactory {
  readonly rung = 'bubblewrap';
  readonly #inner: SandboxFactory;
  readonly #weakness: Weakness;

  constructor(inner: SandboxFactory, weakness: Weakness) {
    this.#inner = inner;
    this.#weakness = weakness;
  }

  async create(options?: SandboxOptions): Promise<Sandbox> {
    return takeUpHabit(await this.#inner.create(options), this.#weakness);
  }
}
