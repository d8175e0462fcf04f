import { BridgeCore, type CoreOptions } from '../core/index.ts';
import { GrpcClient, GrpcServer } from '../grpc/index.ts';
import { Dispatcher, makeRemoteService } from '../protobuf/index.ts';
import { ZeromqClient, ZeromqServer } from '../zeromq/index.ts';
import type { Serve, Served } from './served.ts';

/** Every way to reach the core, by name. */
export const wires: Readonly<Record<string, Serve>> = {
  'in process': serveInProcess,
  ZeroMQ: serveZeromq,
  gRPC: serveGrpc,
};

async function serveInProcess(options: CoreOptions): Promise<Served> {
  const core = new BridgeCore(options);
  return { core, service: core, events: core, carry: null, [Symbol.asyncDispose]: () => core.close() };
}

async function serveZeromq(options: CoreOptions): Promise<Served> {
  const core = new BridgeCore(options);
  const { maxMessageBytes } = core.limits;
  const dispatcher = new Dispatcher(core, maxMessageBytes);
  const server = await ZeromqServer.start({ dispatcher, maxMessageBytes, address: 'tcp://127.0.0.1:0' });
  const client = new ZeromqClient({ address: server.address });
  const service = makeRemoteService(client.carry);
  return { core, service, events: null, carry: client.carry, [Symbol.asyncDispose]: close };

  async function close() {
    await core.close();
    await client.close();
    await server.close();
  }
}

async function serveGrpc(options: CoreOptions): Promise<Served> {
  const core = new BridgeCore(options);
  const { maxMessageBytes } = core.limits;
  const dispatcher = new Dispatcher(core, maxMessageBytes);
  const server = await GrpcServer.start({ dispatcher, maxMessageBytes, address: '127.0.0.1:0' });
  const client = new GrpcClient({ address: server.address, maxMessageBytes });
  const service = makeRemoteService(client.carry);
  return { core, service, events: client, carry: client.carry, [Symbol.asyncDispose]: close };

  async function close() {
    await core.close();
    await client.close();
    await server.close();
  }
}
