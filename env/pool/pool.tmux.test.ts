import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandboxFactory, type Sandbox, type SandboxFactories, type SandboxFactory } from '../sandbox/index.ts';
import { type Task, taskSchema } from '../task/index.ts';
import { type BlankWorld, poseTask } from '../world/index.ts';
import { Pool } from './index.ts';

const golden = taskSchema.parse(JSON.parse(readFileSync(new URL('../golden/task.json', import.meta.url), 'utf8')));
const task: Task = { ...golden, plan: [{ type: 'file', path: 'mark', content: '{{slot:0}}' }], debugLog: false };

/** The real factory, and every sandbox that it made. */
class Counting implements SandboxFactory {
  readonly #factory: SandboxFactory;
  readonly made: Sandbox[] = [];

  constructor(factory: SandboxFactory) {
    this.#factory = factory;
  }

  get rung() {
    return this.#factory.rung;
  }

  async create(): Promise<Sandbox> {
    const sandbox = await this.#factory.create();
    this.made.push(sandbox);
    return sandbox;
  }

  /** Sandboxes in which anything lives. */
  get living(): number {
    return this.made.filter(isLiving).length;
  }
}

/** A closed sandbox throws, since it has no processes to look at. */
const isLiving = (sandbox: Sandbox): boolean => {
  try {
    return sandbox.processes.pids().length > 0 && sandbox.home !== '';
  } catch {
    return false;
  }
};

let sandboxes: SandboxFactories;
let factory: Counting;
let pool: Pool;
beforeAll(async () => {
  sandboxes = await createSandboxFactory({ rung: 'bubblewrap', minRung: 'bubblewrap' });
});
afterAll(() => sandboxes?.close());
beforeEach(() => {
  factory = new Counting(sandboxes.factory);
});
afterEach(async () => {
  await pool.close();
  expect(factory.living).toBe(0);
});

const takenBy: BlankWorld[] = [];
afterEach(async () => {
  for (const { sandbox } of takenBy.splice(0)) await sandbox.close();
});
const take = async (): Promise<BlankWorld> => {
  const world = await pool.takeBlank();
  takenBy.push(world);
  return world;
};
const pose = (blank: BlankWorld) => poseTask(blank, task, ['aaaa0000', 'bbbb1111']);
const isServing = async ({ sandbox }: BlankWorld) => {
  const { output } = await sandbox.launcher.run({ argv: ['tmux', 'list-sessions', '-F', '#{session_name}'] }).exited;
  return output.toString() === 'main\n';
};
/** Ends the tmux server of a world, as a crash would. */
const breakServer = async ({ sandbox, server }: BlankWorld) => {
  sandbox.launcher.signal(server.pid, 9);
  await expect.poll(() => sandbox.processes.pids().includes(server.pid)).toBe(false);
};

describe('takeBlank()', () => {
  test('makes a world, when none is kept ready', async () => {
    pool = new Pool({ factory, size: 0, prefetchLimit: 0 });
    expect(factory.made).toHaveLength(0);
    expect(await isServing(await take())).toBe(true);
    expect(factory.made).toHaveLength(1);
    await takenBy.pop()!.sandbox.close();
  });

  test('keeps as many ready as it was told, and makes up for what was taken', async () => {
    pool = new Pool({ factory, size: 2, prefetchLimit: 0 });
    const first = await take();
    expect(await isServing(first)).toBe(true);
    await expect.poll(() => factory.living).toBe(3);
    const second = await take();
    expect(second.sandbox === first.sandbox).toBe(false);
    await expect.poll(() => factory.living).toBe(4);
    expect(pool.replaced).toBe(0);
    for (const { sandbox } of takenBy.splice(0)) await sandbox.close();
    expect(factory.living).toBe(2);
  });

  test('never hands out a world whose server died while it was idle', async () => {
    pool = new Pool({ factory, size: 1, prefetchLimit: 0 });
    await expect.poll(() => factory.living).toBe(1);
    const idle = factory.made[0]!;
    const find = () =>
      idle.processes.pids().find((pid) => idle.processes.read(pid, 'comm')?.startsWith('tmux: server'));
    await expect.poll(find).toBeDefined();
    const server = find()!;
    idle.launcher.signal(server, 9);
    await expect.poll(() => idle.processes.pids().includes(server)).toBe(false);
    const world = await take();
    expect(world.sandbox === idle).toBe(false);
    expect(await isServing(world)).toBe(true);
    expect(pool.replaced).toBe(1);
    expect(isLiving(idle)).toBe(false);
    await takenBy.pop()!.sandbox.close();
  });
});

describe('prefetch()', () => {
  test('makes finished worlds up to its limit, and hands each out once', async () => {
    pool = new Pool({ factory, size: 0, prefetchLimit: 2 });
    expect([pool.prefetch('a', pose), pool.prefetch('a', pose), pool.prefetch('b', pose)]).toEqual([true, true, false]);
    const [first, second] = [await pool.takeFinished('a'), await pool.takeFinished('a')];
    expect(await pool.takeFinished('a')).toBeNull();
    expect(await pool.takeFinished('b')).toBeNull();
    expect(first!.sandbox === second!.sandbox).toBe(false);
    expect(readFileSync(`${first!.sandbox.home}/mark`, 'utf8')).toBe('aaaa0000');
    expect(factory.made).toHaveLength(2);
    expect(pool.prefetch('b', pose)).toBe(true);
    await first!.close();
    await second!.close();
  });

  test('gives null and counts it, when the only finished world has died', async () => {
    pool = new Pool({ factory, size: 0, prefetchLimit: 4 });
    let posed: BlankWorld | null = null;
    pool.prefetch('a', async (blank) => {
      const world = await pose(blank);
      posed = world;
      return world;
    });
    await expect.poll(() => posed !== null).toBe(true);
    await breakServer(posed!);
    expect(await pool.takeFinished('a')).toBeNull();
    expect(pool.replaced).toBe(1);
    expect(factory.living).toBe(0);
  });

  test('gives null, when a world could not be posed, and leaves nothing of it', async () => {
    pool = new Pool({ factory, size: 0, prefetchLimit: 4 });
    pool.prefetch('a', (blank) => poseTask(blank, task, []));
    expect(await pool.takeFinished('a')).toBeNull();
    expect(factory.living).toBe(0);
  });
});

describe('close()', () => {
  test('ends what is ready, what is being made and what waits, and takes on nothing more', async () => {
    pool = new Pool({ factory, size: 3, prefetchLimit: 10 });
    for (let index = 0; index < 5; index++) pool.prefetch(`task ${index}`, pose);
    await expect.poll(() => factory.living).toBeGreaterThan(0);
    await pool.close();
    await pool.close();
    expect(factory.living).toBe(0);
    expect(pool.prefetch('more', pose)).toBe(false);
  });
});
