import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Context, curveKeyPair, Dealer, type Event } from 'zeromq';
import { FakeGym, findFakeTask } from '../core/fake-gym.test-double.ts';
import { BridgeCore, type BridgeService, type CoreLimits, toRefusal } from '../core/index.ts';
import { Dispatcher, decodeRefusal, makeRemoteService } from '../protobuf/index.ts';
import { readCurveKeys } from './curve-keys.ts';
import { ZeromqClient } from './zeromq-client.ts';
import { ZeromqServer, type ZeromqServerOptions } from './zeromq-server.ts';

const client = 'c';
const task = { id: 'fake-d0-s1', sample: 0 };
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(options: Partial<ZeromqServerOptions> = {}, limits: Partial<CoreLimits> = {}) {
  const gym = new FakeGym();
  const core = new BridgeCore({ gym, findTask: findFakeTask, versions: { version: '0', generator: '0' }, limits });
  const { maxMessageBytes } = core.limits;
  const dispatcher = new Dispatcher(core, maxMessageBytes);
  const server = await ZeromqServer.start({ dispatcher, maxMessageBytes, address: 'tcp://127.0.0.1:0', ...options });
  closers.push(async () => {
    await core.close();
    await server.close();
  });
  return { gym, server };
}

function connectClient(server: ZeromqServer): BridgeService {
  const wire = new ZeromqClient({ address: server.address });
  closers.push(() => wire.close());
  return makeRemoteService(wire.carry);
}

function connectRaw(server: ZeromqServer, options: ConstructorParameters<typeof Dealer>[0] = {}): Dealer {
  const dealer = new Dealer({ context: new Context(), linger: 0, ...options });
  closers.push(() => dealer.close());
  dealer.connect(server.address);
  return dealer;
}

async function createEpisodes(service: BridgeService, size: number): Promise<readonly string[]> {
  await service.describe({ protocol: 1, client, split: '' });
  const episodes = await service.create({ client, task, size, request: '' });
  return episodes.map(({ id }) => id);
}

const refusal = (call: Promise<unknown>) => call.then(() => null, toRefusal);

describe('frames', () => {
  test('ZeromqServer answers E_FRAME, when frames are missing or a request id has no fitting length', async () => {
    const { server } = await serve();
    const dealer = connectRaw(server);
    const cases: readonly (readonly (string | Buffer)[])[] = [
      [Buffer.from('deadbeef', 'hex')],
      ['id', 'Health'],
      ['', 'Health', ''],
      [randomBytes(1_000), 'Health', ''],
    ];
    for (const frames of cases) {
      await dealer.send([...frames]);
      const [id, status, payload] = await dealer.receive();
      expect(status?.toString()).toBe('error');
      expect(id).toEqual(Buffer.from(frames[0]!).subarray(0, 64));
      expect(decodeRefusal(payload!).code).toBe('E_FRAME');
    }
  });

  test('ZeromqServer names the method and the version, when it has neither', async () => {
    const { server } = await serve();
    const dealer = connectRaw(server);
    for (const [method, code] of [
      ['Explode', 'E_METHOD'],
      ['Events', 'E_METHOD'],
      ['__proto__', 'E_METHOD'],
      ['muxgym.v2.Gym/Act', 'E_PROTOCOL'],
    ] as const) {
      await dealer.send(['1', method, '']);
      const [, , payload] = await dealer.receive();
      expect(decodeRefusal(payload!).code).toBe(code);
    }
  });

  test('ZeromqServer ignores further frames, for batches to come', async () => {
    const { server } = await serve();
    const dealer = connectRaw(server);
    await dealer.send(['1', 'Health', '', randomBytes(100)]);
    expect((await dealer.receive())[1]?.toString()).toBe('ok');
  });

  test('ZeromqServer survives random bytes, as messages and as raw TCP', async () => {
    const { server } = await serve();
    const dealer = connectRaw(server);
    for (let round = 0; round < 200; round += 1) {
      await dealer.send([randomBytes(8), ['Act', 'Create', 'ScoreScripts'][round % 3]!, randomBytes(round)]);
      expect((await dealer.receive())[1]?.toString()).toMatch(/ok|error/);
    }
    const [host, port] = server.address.slice('tcp://'.length).split(':');
    const raw = connect(Number(port), host);
    raw.on('error', () => undefined); // being cut off is what is expected
    raw.resume();
    raw.end(randomBytes(500));
    await once(raw, 'close');
    expect((await connectClient(server).health()).status).toBe('SERVING');
  });

  // BR-37: a message over the agreed size, in both directions.
  test('ZeromqServer refuses a message that is too large, in either direction, for that call only', async () => {
    const { server } = await serve({}, { maxMessageBytes: 10_000 });
    const service = connectClient(server);
    const [episode] = await createEpisodes(service, 1);
    const act = (text: string) =>
      service.act({ client, episode: episode!, sequence: 1, action: { type: 'command', command: text } });
    expect(await refusal(act('x'.repeat(15_000)))).toMatchObject({ code: 'E_SIZE' });
    expect((await act(`echo ${'y'.repeat(9_800)}`)).observation.text).toHaveLength(9_800);
    const grades = service.scoreScripts({ client, jobs: Array(400).fill({ task, script: '' }), request: '' });
    expect((await refusal(grades))?.message).toContain('ScoreScripts reply');
  });
});

describe('replies', () => {
  // BR-34: overlapping sends on one socket.
  test('ZeromqServer sends each reply once, when 64 episodes finish in the same tick', async () => {
    const { gym, server } = await serve();
    const service = connectClient(server);
    const episodes = await createEpisodes(service, 64);
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    gym.behaviour.beforeStep = () => opened;
    const acts = episodes.map((episode, index) =>
      service.act({ client, episode, sequence: 1, action: { type: 'command', command: `echo ${index}` } }),
    );
    await service.health();
    open();
    const texts = (await Promise.all(acts)).map(({ observation }) => observation.text);
    expect(texts).toEqual(episodes.map((_, index) => String(index)));
    expect(gym.actions).toHaveLength(64);
  });

  test('ZeromqServer keeps the step for a repeat, when the client vanished before the reply', async () => {
    const { gym, server } = await serve();
    const service = connectClient(server);
    const [episode] = await createEpisodes(service, 1);
    let open: (() => void) | null = null;
    gym.behaviour.beforeStep = () =>
      new Promise<void>((resolve) => {
        open = resolve;
      });
    const act = { client, episode: episode!, sequence: 1, action: { type: 'command', command: 'echo once' } } as const;
    const doomed = new ZeromqClient({ address: server.address });
    const lost = refusal(makeRemoteService(doomed.carry).act(act));
    while (open === null) await service.health();
    await doomed.close();
    expect((await lost)?.code).toBe('E_CLOSED');
    (open as () => void)();
    const step = await service.act(act);
    expect(step.observation.text).toBe('once');
    expect(gym.actions).toHaveLength(1);
  });

  test('ZeromqServer serves others, when one client does not read, and loses none of its replies', async () => {
    const { server } = await serve({ sendHighWaterMark: 10 });
    const service = connectClient(server);
    const [episode] = await createEpisodes(service, 1);
    // It asks for large replies and takes none.
    const dealer = connectRaw(server, { receiveHighWaterMark: 1 });
    const action = { type: 'script', script: `echo ${'z'.repeat(32_000)}` } as const;
    await service.act({ client, episode: episode!, sequence: 1, action });
    let payload: Uint8Array = new Uint8Array();
    const capture = makeRemoteService(async (_, bytes) => {
      payload = bytes;
      throw new Error('only captured');
    });
    await capture.act({ client, episode: episode!, sequence: 1, action }).catch(() => undefined);
    for (let index = 0; index < 900; index += 1) await dealer.send([String(index), 'Act', payload]);
    for (let round = 0; round < 100; round += 1) expect((await service.health()).status).toBe('SERVING');
    const ids = new Set<string>();
    while (ids.size < 900) ids.add((await dealer.receive())[0]!.toString());
    expect(server.dropped).toBe(0);
  }, 30_000);
});

describe('addresses and keys', () => {
  test('start() refuses an address beyond loopback without keys, one that is taken and one that is none', async () => {
    const { server } = await serve();
    for (const address of ['tcp://0.0.0.0:0', 'tcp://*:5755', 'tcp://[::]:0', 'udp://127.0.0.1:1', server.address]) {
      await expect(serve({ address })).rejects.toMatchObject({ code: 'E_BIND' });
    }
  });

  test('start() picks a free port on IPv6 and on a local socket, when asked to', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'muxgym-ipc-'));
    closers.unshift(() => rmSync(folder, { recursive: true }));
    for (const address of ['tcp://[::1]:0', 'tcp://localhost:0', `ipc://${folder}/gym.sock`]) {
      const { server } = await serve({ address });
      expect(server.address).toMatch(/^tcp:\/\/\[::1\]:\d+$|^tcp:\/\/127\.0\.0\.1:\d+$|^ipc:/);
      expect((await connectClient(server).health()).status).toBe('SERVING');
    }
  });

  test('start() lets in the clients that hold an allowed key, and no other', async () => {
    const keys = { server: curveKeyPair(), friend: curveKeyPair(), stranger: curveKeyPair() };
    const folder = mkdtempSync(join(tmpdir(), 'muxgym-curve-'));
    closers.unshift(() => rmSync(folder, { recursive: true }));
    const lines = [`    public-key = "${keys.server.publicKey}"`, `    secret-key = "${keys.server.secretKey}"`];
    writeFileSync(
      join(folder, 'server.key_secret'),
      ['#  made by a test', 'metadata', 'curve', ...lines, ''].join('\n'),
    );
    writeFileSync(join(folder, 'allow'), `# the trainer\n${keys.friend.publicKey}\n`);
    const curve = readCurveKeys(join(folder, 'server.key_secret'), join(folder, 'allow'));
    const { server } = await serve({ curve });
    const serverKey = curve.publicKey;

    const friend = new ZeromqClient({ address: server.address, curve: { ...keys.friend, serverKey } });
    closers.push(() => friend.close());
    expect((await makeRemoteService(friend.carry).health()).status).toBe('SERVING');

    const { publicKey: curvePublicKey, secretKey: curveSecretKey } = keys.stranger;
    const stranger = connectRaw(server, { curvePublicKey, curveSecretKey, curveServerKey: serverKey });
    expect(await firstEvent(stranger, 'handshake')).toBe('handshake:error:auth');
    const plain = connectRaw(server);
    expect(await firstEvent(plain, 'handshake|disconnect')).toMatch(/error|disconnect/);
  });

  test('readCurveKeys() names the file, when it holds no keys', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muxgym-curve-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'keys');
    expect(() => readCurveKeys(path, path)).toThrow(expect.objectContaining({ code: 'E_CURVE' }));
    writeFileSync(path, 'public-key = "short"\n');
    expect(() => readCurveKeys(path, path)).toThrow(/at .*keys: expected lines public-key/);
  });
});

/** The type of the first connection event that matches. */
async function firstEvent(socket: Dealer, pattern: string): Promise<Event['type']> {
  for await (const { type } of socket.events) {
    if (new RegExp(pattern).test(type)) return type;
  }
  throw new Error('Cannot wait for an event of a closed socket');
}
