import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client, credentials, Metadata, makeGenericClientConstructor, type ServiceError, status } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { service as healthService } from 'grpc-health-check';
import { afterEach, expect, test } from 'vitest';
import { FakeGym, findFakeTask } from '../core/fake-gym.test-double.ts';
import { BridgeCore, type BridgeService, type CoreLimits, toRefusal } from '../core/index.ts';
import { Dispatcher, decodeRefusal, makeRemoteService } from '../protobuf/index.ts';
import { GrpcClient } from './grpc-client.ts';
import { errorKey, GrpcServer } from './grpc-server.ts';

const client = 'c';
const task = { id: 'fake-d0-s1', sample: 0 };
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(limits: Partial<CoreLimits> = {}) {
  const gym = new FakeGym();
  const core = new BridgeCore({ gym, findTask: findFakeTask, versions: { version: '0', generator: '0' }, limits });
  const { maxMessageBytes } = core.limits;
  const dispatcher = new Dispatcher(core, maxMessageBytes);
  const server = await GrpcServer.start({ dispatcher, maxMessageBytes, address: '127.0.0.1:0' });
  closers.push(async () => {
    await core.close();
    await server.close();
  });
  return { gym, core, server };
}

function connect(server: GrpcServer, deadlineMs?: number): BridgeService {
  const limits = { maxMessageBytes: 32 * 1024 * 1024 };
  const options = { address: server.address, ...limits, ...(deadlineMs === undefined ? {} : { deadlineMs }) };
  const wire = new GrpcClient(options);
  closers.push(() => wire.close());
  return makeRemoteService(wire.carry);
}

async function createEpisode(service: BridgeService): Promise<string> {
  await service.describe({ protocol: 1, client, split: '' });
  const [start] = await service.create({ client, task, size: 1, request: '' });
  return start!.id;
}

async function probeHealth(server: GrpcServer, service: string): Promise<string> {
  const probe = new (makeGenericClientConstructor(healthService, 'Health'))(
    server.address,
    credentials.createInsecure(),
  );
  closers.push(() => probe.close());
  const check = probe['check']!.bind(probe) as (
    request: object,
    done: (error: ServiceError | null, reply: { readonly status: string }) => void,
  ) => void;
  return new Promise((resolve, reject) => {
    check({ service }, (error, reply) => (error === null ? resolve(reply.status) : reject(error)));
  });
}

test('GrpcServer answers health probes SERVING, and NOT_SERVING while it drains', async () => {
  const { server } = await serve();
  expect(await probeHealth(server, '')).toBe('SERVING');
  expect(await probeHealth(server, 'muxgym.v1.Gym')).toBe('SERVING');
  await expect(probeHealth(server, 'other')).rejects.toMatchObject({ code: status.NOT_FOUND });
  server.drain();
  expect(await probeHealth(server, '')).toBe('NOT_SERVING');
});

test('GrpcServer tells its services by reflection', async () => {
  const { server } = await serve();
  const folder = dirname(createRequire(import.meta.url).resolve('@grpc/reflection/package.json'));
  const loaded = loadSync('v1/reflection.proto', {
    includeDirs: [join(folder, 'build/proto/grpc/reflection'), join(folder, 'proto/grpc/reflection')],
  });
  const definition = loaded['grpc.reflection.v1.ServerReflection'] as typeof healthService;
  const probe = new (makeGenericClientConstructor(definition, 'R'))(server.address, credentials.createInsecure());
  closers.push(() => probe.close());
  const stream = (
    probe['serverReflectionInfo'] as () => import('@grpc/grpc-js').ClientDuplexStream<object, Listing>
  ).call(probe);
  stream.write({ listServices: '' });
  for await (const reply of stream) {
    const names = (reply as Listing).listServicesResponse.service.map(({ name }) => name);
    expect(names).toContain('muxgym.v1.Gym');
    break;
  }
  stream.cancel();
});
interface Listing {
  readonly listServicesResponse: { readonly service: readonly { readonly name: string }[] };
}

test('GrpcServer sends a matching status, the code in the text and the Error message beside it', async () => {
  const { server } = await serve();
  const raw = new Client(server.address, credentials.createInsecure());
  closers.push(() => raw.close());
  const error = await new Promise<ServiceError>((resolve) => {
    const bytes = Buffer.from('ff', 'hex');
    const keep = (value: Buffer) => value;
    raw.makeUnaryRequest('/muxgym.v1.Gym/Act', keep, keep, bytes, new Metadata(), (refused) => resolve(refused!));
  });
  expect(error.code).toBe(status.INVALID_ARGUMENT);
  expect(error.details).toMatch(/^\[E_PROTOBUF\] Cannot read the message, at ActRequest, byte 0/);
  const refusal = decodeRefusal(error.metadata.get(errorKey)[0] as Buffer);
  expect(refusal).toMatchObject({ code: 'E_PROTOBUF', boundary: null });
  expect(refusal.hint).not.toBe('');
});

test('GrpcServer keeps to a deadline, and the repeat of the step returns what was done', async () => {
  const { gym, server } = await serve();
  const service = connect(server);
  const episode = await createEpisode(service);
  let open: (() => void) | null = null;
  gym.behaviour.beforeStep = () =>
    new Promise<void>((resolve) => {
      open = resolve;
    });
  const act = { client, episode, sequence: 1, action: { type: 'command', command: 'echo once' } } as const;
  await expect(connect(server, 150).act(act)).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED });
  (open as unknown as () => void)();
  expect((await service.act(act)).observation.text).toBe('once');
  expect(gym.actions).toHaveLength(1);
});

test('GrpcServer calls an unnamed request off, when its deadline passes', async () => {
  const { gym, core, server } = await serve({ scriptConcurrency: 1 });
  const service = connect(server);
  await createEpisode(service);
  gym.behaviour.beforeStep = () => new Promise(() => undefined);
  const jobs = Array(20).fill({ task, script: 'right' });
  const calling = connect(server, 150).scoreScripts({ client, jobs, request: '' });
  await expect(calling).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED });
  while (core.live > 1) await service.heartbeat({ client });
  expect(gym.actions).toHaveLength(1);
});

// BR-37: a request over 4 MiB, and one over the agreed size.
test('GrpcServer fails that call only, when a message is larger than agreed', async () => {
  const { server } = await serve({ maxMessageBytes: 6_000_000 });
  const service = connect(server);
  await createEpisode(service);
  const send = (bytes: number) =>
    service.scoreScripts({
      client,
      jobs: Array(bytes / 25_000).fill({ task, script: 'x'.repeat(25_000) }),
      request: '',
    });
  expect(await send(5_000_000)).toHaveLength(200);
  await expect(send(7_000_000)).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  expect((await service.health()).status).toBe('SERVING');
});

test('GrpcServer refuses with named codes, as the core does', async () => {
  const { server } = await serve();
  const service = connect(server);
  const refused = await service.heartbeat({ client: 'nobody' }).then(() => null, toRefusal);
  expect(refused?.code).toBe('E_LEASE');
});

test('start() refuses an address beyond loopback without TLS, one that is taken and one that is none', async () => {
  const { core, server } = await serve();
  const dispatcher = new Dispatcher(core, 1_000);
  for (const address of ['0.0.0.0:0', '[::]:0', 'example.org:1', 'nonsense', server.address]) {
    const starting = GrpcServer.start({ dispatcher, maxMessageBytes: 1_000, address });
    await expect(starting).rejects.toMatchObject({ code: 'E_BIND' });
  }
  const tls = { certificate: '/nowhere/cert.pem', key: '/nowhere/key.pem', ca: null };
  const starting = GrpcServer.start({ dispatcher, maxMessageBytes: 1_000, address: '127.0.0.1:0', tls });
  await expect(starting).rejects.toMatchObject({ code: 'E_TLS' });
});
