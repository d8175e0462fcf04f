import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { makeCliffTask } from '../../generator/index.ts';
import { runEpisodes } from '../run/index.ts';
import { makePolicy } from './index.ts';
import { type ChatServer, describePolicy, serveChat } from './policy.conformance.ts';

const folder = mkdtempSync(join(tmpdir(), 'muxgym-policy-'));
const servers: ChatServer[] = [];
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

for (const [name, expected] of [
  ['oracle', 'passes'],
  ['oracle:1', 'passes'],
  ['naive', 'fails'],
  ['noop', 'fails'],
  ['wrong', 'fails'],
  ['random', 'either'],
] as const) {
  describePolicy({ name, make: () => makePolicy(name), expected });
}

describePolicy({
  name: 'script:FILE',
  make: () => {
    const path = join(folder, 'agent.sh');
    writeFileSync(path, 'cd "$HOME"; exit 3 # fails, which is data\n');
    return makePolicy(`script:${path}`);
  },
  expected: 'fails',
});

describePolicy({
  name: 'replay:RUN',
  make: async () => {
    const run = join(folder, 'run');
    const tasks = [0, 4].map((depth) => makeCliffTask({ profile: 'fair', depth, ops: 2, seed: 1 }));
    const signal = new AbortController().signal;
    await runEpisodes({ folder: run, policy: makePolicy('oracle'), tasks, signal, onProgress: () => undefined });
    return makePolicy(`replay:${run}`);
  },
  expected: 'passes',
});

describePolicy({
  name: 'openai',
  make: async () => {
    const server = await serveChat(() => 'Look:\n```bash\ntmux list-windows; exit 1\n```');
    servers.push(server);
    return makePolicy('openai', { baseUrl: server.baseUrl });
  },
  expected: 'fails',
});
