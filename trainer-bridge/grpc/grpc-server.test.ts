import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client, credentials, Metadata, makeGenericClientConstructor, type ServiceError, status } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { service as healthService } from 'grpc-health-check';
import { afterEach, expect, test } from 'vitest';
import { FakeGym, findFakeTask } from '../core/fake-gym.test-double.ts';
import {
  BridgeCore,
  type BridgeService,
  type CoreLimits,
  type CreateRequest,
  type EventService,
  toRefusal,
} from '../core/index.ts';
import { Dispatcher, decodeRefusal, makeRemoteService, methodTypes } from '../protobuf/index.ts';
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

function connect(server: GrpcServer, deadlineMs?: number): BridgeService & EventService {
  const limits = { maxMessageBytes: 32 * 1024 * 1024 };
  const options = { address: server.address, ...limits, ...(deadlineMs === undefined ? {} : { deadlineMs }) };
  const wire = new GrpcClient(options);
  closers.push(() => wire.close());
  return { ...makeRemoteService(wire.carry), events: (...call) => wire.events(...call) };
}

async function createEpisode(service: BridgeService, setting: Pick<CreateRequest, 'setting'> = {}): Promise<string> {
  await service.describe({ protocol: 1, client, split: '' });
  const [start] = await service.create({ client, task, size: 1, request: '', ...setting });
  return start!.id;
}

const pushed = { setting: { delivery: 'push', clock: 'virtual', shaping: true } } as const;
const happen = (episode: string, event: string, sequence = 1) =>
  ({ client, episode, sequence, action: { type: 'command', command: `event ${event}` } }) as const;

/** Follows an episode; `next` resolves with the next event that is told. */
function follow(service: EventService, episode: string) {
  const gone = new AbortController();
  const heard: string[] = [];
  let wake: () => void = () => undefined;
  const tell = ({ event }: { readonly event: string }) => {
    heard.push(event);
    wake();
  };
  const over = service.events({ client, episode }, { tell, signal: gone.signal });
  const next = () => new Promise<void>((resolve) => (wake = resolve));
  return { heard, over, next, leave: () => gone.abort() };
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

test('GrpcServer tells its services and methods by reflection', async () => {
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
  const replies: Listing[] = [];
  stream.on('data', (reply: Listing) => replies.push(reply));
  stream.write({ listServices: '' });
  for (const method of ['Act', 'Events', 'Explode']) stream.write({ fileContainingSymbol: `muxgym.v1.Gym.${method}` });
  stream.end();
  await once(stream, 'end');
  const names = replies[0]?.listServicesResponse?.service.map(({ name }) => name);
  expect(names).toContain('muxgym.v1.Gym');
  const found = replies
    .slice(1)
    .map(({ fileDescriptorResponse }) => fileDescriptorResponse?.fileDescriptorProto.length);
  expect(found).toEqual([1, 1, undefined]);
});
interface Listing {
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] };
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly Uint8Array[] };
}

test('GrpcServer streams an event while its action still runs', async () => {
  const { gym, server } = await serve();
  const service = connect(server);
  const episode = await createEpisode(service, pushed);
  let finish: () => void = () => undefined;
  gym.behaviour.beforeStep = () => new Promise((resolve) => (finish = resolve));
  const stream = follow(service, episode);
  const told = stream.next();
  let acted = false;
  const acting = service.act(happen(episode, 'a')).then(() => (acted = true));
  await told;
  expect([stream.heard, acted]).toEqual([['a'], false]);
  finish();
  await acting;
  await service.grade({ client, episode, truncatedBy: null });
  await stream.over;
  expect(stream.heard).toEqual(['a']);
});

test('GrpcServer forgets a stream, when its client goes away, and the episode goes on', async () => {
  const { server } = await serve();
  const service = connect(server);
  const episode = await createEpisode(service, pushed);
  await service.act(happen(episode, 'a'));
  const streams = Array.from({ length: 16 }, () => follow(service, episode));
  await Promise.all(streams.map(({ next }) => next()));
  const tooMany = await follow(service, episode).over.then(() => null, toRefusal);
  expect(tooMany?.code).toBe('E_BUSY');
  for (const { leave } of streams) leave();
  await Promise.all(streams.map(({ over }) => over));
  await service.act(happen(episode, 'b', 2));
  let outcome = 'E_BUSY';
  while (outcome === 'E_BUSY') {
    const again = follow(service, episode);
    const ended = again.over.then(
      () => 'ended',
      (error: unknown) => toRefusal(error).code,
    );
    outcome = await Promise.race([again.next().then(() => 'told'), ended]);
  }
  expect(outcome).toBe('told');
});

test('GrpcClient ends the stream with what the subscriber throws', async () => {
  const { server } = await serve();
  const service = connect(server);
  const episode = await createEpisode(service, pushed);
  await service.act(happen(episode, 'a'));
  const tell = () => {
    throw new Error('broken');
  };
  const following = service.events({ client, episode }, { tell, signal: new AbortController().signal });
  await expect(following).rejects.toThrow('broken');
});

test('GrpcServer refuses a stream with a matching status and the Error message beside it', async () => {
  const { server } = await serve();
  const service = connect(server);
  const episode = await createEpisode(service);
  const raw = new Client(server.address, credentials.createInsecure());
  closers.push(() => raw.close());
  const refuse = (bytes: Buffer) =>
    new Promise<ServiceError>((resolve) => {
      const keep = (value: Buffer) => value;
      const stream = raw.makeServerStreamRequest('/muxgym.v1.Gym/Events', keep, keep, bytes);
      stream.on('error', (error: ServiceError) => resolve(error)).resume();
    });
  const { request } = methodTypes.get('Events')!;
  const cases = [
    [request.encode({ client, episode }).finish(), status.FAILED_PRECONDITION, 'E_DELIVERY'],
    [request.encode({ client, episode: 'none' }).finish(), status.NOT_FOUND, 'E_EPISODE'],
    [request.encode({ client: 'nobody', episode }).finish(), status.FAILED_PRECONDITION, 'E_LEASE'],
    [Buffer.from('ff', 'hex'), status.INVALID_ARGUMENT, 'E_PROTOBUF'],
  ] as const;
  for (const [bytes, code, name] of cases) {
    const error = await refuse(Buffer.from(bytes));
    expect([error.code, error.details.slice(0, name.length + 2)]).toEqual([code, `[${name}]`]);
    expect(decodeRefusal(error.metadata.get(errorKey)[0] as Buffer).code).toBe(name);
  }
});

test('close() ends the streams, when somebody still listens', async () => {
  const { core, server } = await serve();
  const service = connect(server);
  const stream = follow(service, await createEpisode(service, pushed));
  const ended = stream.over.then(() => null, toRefusal);
  await service.health();
  await core.close();
  await server.close();
  expect((await ended)?.code).toBe('E_LEASE');
});

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
