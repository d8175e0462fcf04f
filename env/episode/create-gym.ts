import { InputError } from '../errors.ts';
import { Pool } from '../pool/index.ts';
import { createSandboxFactory, createWeakenedFactory, type SandboxFactories, type Weakness } from '../sandbox/index.ts';
import { hashTask, makeRunKey, makeSecrets, type RunKey, requirePosable, type Task } from '../task/index.ts';
import { type BlankWorld, poseTask, type World } from '../world/index.ts';
import type { Env, Gym, GymOptions, ResetOptions } from './env.ts';
import { Episode } from './episode.ts';
import { type BeginEpisode, TmuxEnv } from './tmux-env.ts';

/** Probes the isolation ladder, sweeps what dead gyms left, and opens a gym on the best rung that works here. */
export async function createGym({
  runKey = makeRunKey(),
  poolSize = 0,
  prefetchLimit = 64,
  rung,
  minRung = 'uid',
}: GymOptions = {}): Promise<Gym> {
  const sandboxes = await createSandboxFactory({ rung, minRung });
  return new TmuxGym(sandboxes, runKey, { poolSize, prefetchLimit });
}

/** A gym on the bubblewrap rung with one defence switched off. For the red team, and for nothing else. */
export function createWeakenedGym(weakness: Weakness, runKey = makeRunKey()): Gym {
  return new TmuxGym(createWeakenedFactory(weakness), runKey, { poolSize: 0, prefetchLimit: 0 });
}

class TmuxGym implements Gym {
  readonly runKey: RunKey;
  readonly #sandboxes: SandboxFactories;
  readonly #pool: Pool;
  readonly #envs = new Set<Env>();
  #closing: Promise<void> | null = null;

  constructor(
    sandboxes: SandboxFactories,
    runKey: RunKey,
    { poolSize, prefetchLimit }: { readonly poolSize: number; readonly prefetchLimit: number },
  ) {
    this.runKey = runKey;
    this.#sandboxes = sandboxes;
    this.#pool = new Pool({ factory: sandboxes.factory, size: poolSize, prefetchLimit });
  }

  get rung(): Gym['rung'] {
    return this.#sandboxes.factory.rung;
  }

  get tmuxVersion(): string {
    return this.#sandboxes.tmuxVersion;
  }

  get live(): number {
    return this.#envs.size;
  }

  createEnv(): Env {
    if (this.#closing !== null)
      throw new InputError({ code: 'E_GYM_CLOSED', what: 'Cannot use a gym that was closed' });
    const env: Env = new TmuxEnv(this.#begin, () => this.#envs.delete(env));
    this.#envs.add(env);
    return env;
  }

  prefetch(requests: readonly ResetOptions[]): number {
    return requests.filter(({ task, sample = 0 }) => {
      requirePosable(task);
      const { key, secrets } = this.#identify(task, sample);
      return this.#pool.prefetch(key, (blank) => poseTask(blank, task, secrets));
    }).length;
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  readonly #begin: BeginEpisode = async ({ task, sample, ...options }) => {
    const started = performance.now();
    requirePosable(task);
    const { key, hash, secrets } = this.#identify(task, sample);
    const world: World = (await this.#pool.takeFinished(key)) ?? (await this.#pose(task, secrets));
    const resetMs = performance.now() - started;
    const { tmuxVersion } = this;
    const episode = new Episode({ world, task, hash, sample, secrets, tmuxVersion, resetMs, ...options });
    await episode.begin();
    const observation = { text: '', exitCode: null, cutBytes: 0 };
    const info = { prompt: task.prompt, taskHash: hash, rung: this.rung, tick: 0 } as const;
    return { episode, reset: { observation, info } };
  };

  async #pose(task: Task, secrets: readonly string[]): Promise<World> {
    const blank: BlankWorld = await this.#pool.takeBlank();
    return poseTask(blank, task, secrets);
  }

  #identify(task: Task, sample: number) {
    const hash = hashTask(task);
    return { key: `${hash}/${sample}`, hash, secrets: makeSecrets(this.runKey, hash, sample, task.slots) };
  }

  async #end(): Promise<void> {
    await this.#pool.close();
    for (const env of [...this.#envs]) await env.close();
    this.#sandboxes.close();
  }
}
