import { afterEach, expect, test } from 'vitest';
import { BoundaryError } from '../env/index.ts';
import { FakeGym, findFakeTask } from '../trainer-bridge/core/fake-gym.test-double.ts';
import { BridgeCore } from '../trainer-bridge/core/index.ts';
import { GrpcClient } from '../trainer-bridge/grpc/grpc-client.ts';
import { GrpcServer } from '../trainer-bridge/grpc/grpc-server.ts';
import { Dispatcher, makeRemoteService } from '../trainer-bridge/protobuf/index.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

test('BR-37 a reply over 4 MiB arrives whole and one over the agreed size fails that call only, when sent by gRPC', async () => {
  const maxMessageBytes = 6_000_000;
  const failure = 'f'.repeat(25_000);
  const gym = new FakeGym({
    beforeGrade: async () => {
      throw new BoundaryError('grader', { code: 'E_GRADE', what: failure });
    },
  });
  const limits = { maxMessageBytes };
  const core = new BridgeCore({ gym, findTask: findFakeTask, versions: { version: '0', generator: '0' }, limits });
  const dispatcher = new Dispatcher(core, maxMessageBytes);
  const server = await GrpcServer.start({ dispatcher, maxMessageBytes, address: '127.0.0.1:0' });
  closers.push(async () => {
    await core.close();
    await server.close();
  });
  const wire = new GrpcClient({ address: server.address, maxMessageBytes: 32_000_000 });
  closers.push(() => wire.close());
  const service = makeRemoteService(wire.carry);
  await service.describe({ protocol: 1, client: 'c', split: '' });
  const score = (jobs: number) => {
    const job = { task: { id: 'fake-d0-s1', sample: 0 }, script: '' };
    return service.scoreScripts({ client: 'c', jobs: Array(jobs).fill(job), request: '' });
  };
  const grades = await score(200);
  expect(grades).toHaveLength(200);
  for (const { reward, failure: found } of grades) expect([reward, found?.endsWith(failure)]).toEqual([null, true]);
  await expect(score(300)).rejects.toThrow(/ScoreScripts reply/);
  expect((await service.health()).status).toBe('SERVING');
});
