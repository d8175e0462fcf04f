import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { episodeRecordSchema } from '../env/index.ts';
import { makeTask } from '../generator/index.ts';
import { type BridgeService, GrpcClient, makeRemoteService, ZeromqClient } from '../trainer-bridge/index.ts';

const client = 'test';
const id = 'cliff-d1-n1-s1';
let folder: string;
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muxgym-serve-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await rm(folder, { recursive: true });
});

/** Starts `muxgym serve` with free ports and waits for its ready line. */
async function serve(...flags: readonly string[]) {
  const addresses = ['--bind', 'tcp://127.0.0.1:0', '--grpc', '127.0.0.1:0', '--metrics', '127.0.0.1:0'];
  const args = ['--import', 'tsx', 'scripts/muxgym.ts', 'serve', ...addresses, '--json', ...flags];
  const server = execa(process.execPath, args, { reject: false, forceKillAfterDelay: 20_000 });
  closers.push(async () => {
    server.kill('SIGKILL');
    await server;
  });
  const lines = createInterface({ input: server.stdout });
  const first = await Promise.race([once(lines, 'line'), server]);
  if (!Array.isArray(first)) throw new Error(`Cannot serve: ${first.stderr}`);
  return { server, ready: JSON.parse(String(first[0])) as Record<string, string> };
}

function connect(address: string): BridgeService {
  const wire = new ZeromqClient({ address });
  closers.push(() => wire.close());
  return makeRemoteService(wire.carry);
}

async function playOracle(service: BridgeService): Promise<string> {
  await service.describe({ protocol: 1, client, split: '' });
  const [start] = await service.create({ client, task: { id, sample: 0 }, size: 1, request: 'r' });
  const [action] = makeTask(id).solutions.oracle[0]!.actions;
  await service.act({ client, episode: start!.id, sequence: 1, action: action! });
  expect((await service.grade({ client, episode: start!.id, truncatedBy: null })).reward).toBe(1);
  return start!.id;
}

describe('muxgym serve', () => {
  test('serve serves every wire, refuses a held-out task, records durably and exits 0, when it is told to end', async () => {
    const run = join(folder, 'run');
    const { server, ready } = await serve('--split', 'cliff:train', '--run', run);
    expect(ready).toMatchObject({ ready: true, split: 'cliff:train' });
    const service = connect(ready['zeromq']!);
    const episode = await playOracle(service);
    const held = service.create({ client, task: { id: 'cliff-d3-n1-s1', sample: 0 }, size: 1, request: '' });
    await expect(held).rejects.toMatchObject({ code: 'E_SPLIT' });

    const grpc = new GrpcClient({ address: ready['grpc']!, maxMessageBytes: 1 << 20 });
    closers.push(() => grpc.close());
    expect((await makeRemoteService(grpc.carry).health()).status).toBe('SERVING');
    const metrics = await (await fetch(`http://${ready['metrics']}/metrics`)).text();
    expect(metrics).toContain('muxgym_grades_total{outcome="scored"} 1');

    const lines = readFileSync(join(run, 'episodes.jsonl'), 'utf8').trim().split('\n');
    const record = episodeRecordSchema.parse(JSON.parse(lines[0]!));
    expect(record).toMatchObject({
      task: id,
      policy: 'served',
      split: 'cliff:train',
      reward: 1,
      passed: true,
      steps: 1,
    });
    expect(record.episode).toContain(episode);
    expect((await stat(join(run, 'run.key'))).mode & 0o777).toBe(0o600);

    server.kill('SIGTERM');
    const { exitCode } = await server;
    expect(exitCode).toBe(0);
  });

  test('serve exits 130 and keeps what finished, when it is interrupted with an episode alive', async () => {
    const { server, ready } = await serve('--drain', '0');
    const service = connect(ready['zeromq']!);
    await playOracle(service);
    await service.create({ client, task: { id, sample: 1 }, size: 1, request: '' });
    server.kill('SIGINT');
    expect((await server).exitCode).toBe(130);
  });

  test('serve exits 2 with a coded error, when a flag is wrong', async () => {
    const cases = [
      [['--bind', 'tcp://0.0.0.0:0'], 'E_BIND'],
      [['--split', 'cliff:nowhere'], 'E_SPLIT_NAME'],
      [['--curve-keys', '/nowhere'], 'E_USAGE'],
      [['--pool', 'many'], 'E_USAGE'],
    ] as const;
    for (const [flags, code] of cases) {
      const args = ['--import', 'tsx', 'scripts/muxgym.ts', 'serve', ...flags];
      const { exitCode, stderr } = await execa(process.execPath, args, { reject: false });
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`error[${code}]`)]);
    }
  });
});
