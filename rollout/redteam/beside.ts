import { createServer } from 'node:net';
import type { Gym, Task } from '../../env/index.ts';
import type { Exploit } from './exploit.ts';
import { prepareScript } from './script.ts';

/** What stands beside an attacked episode and must not notice. */
export interface Beside extends AsyncDisposable {
  /** Port of the listener on the loopback of the host, or null. */
  readonly port: number | null;
  /** Whether it was reached, and by which aim. To be asked after the attack. */
  findHarm(): Promise<'neighbour' | 'host' | null>;
}

const nothing: Beside = {
  port: null,
  findHarm: async () => null,
  [Symbol.asyncDispose]: async () => {},
};

export async function createBeside(gym: Gym, task: Task, what: Exploit['beside']): Promise<Beside> {
  switch (what) {
    case 'neighbour':
      return await createNeighbour(gym, task);
    case 'listener':
      return await createListener();
    case undefined:
      return nothing;
  }
}

/** Another episode; it was not harmed where its honest answer still scores 1. */
async function createNeighbour(gym: Gym, task: Task): Promise<Beside> {
  const env = gym.createEnv();
  await env.reset({ task });
  return {
    port: null,
    findHarm: async () => {
      const step = await env.step({ type: 'script', script: prepareScript(task, 'oracle') });
      const { passed } = step.info.grade ?? (await env.grade());
      return passed ? null : 'neighbour';
    },
    [Symbol.asyncDispose]: () => env.close(),
  };
}

async function createListener(): Promise<Beside> {
  let calls = 0;
  const listener = createServer((socket) => {
    calls++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('Cannot listen on the loopback');
  return {
    port: address.port,
    findHarm: async () => (calls > 0 ? 'host' : null),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => listener.close(() => resolve())),
  };
}
