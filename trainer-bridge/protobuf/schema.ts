import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

export interface MethodTypes {
  readonly request: protobuf.Type;
  /** Of each reply, where they are streamed. */
  readonly reply: protobuf.Type;
  readonly streamed: boolean;
}

/** The fully qualified name of the service in gym.proto. */
export const serviceName = 'muxgym.v1.Gym';

/** The folder that import paths in .proto files start from. Sources lie beside it, built files two levels below. */
export function protoFolder(): string {
  const places = ['../proto', '../../../trainer-bridge/proto'].map((path) => new URL(path, import.meta.url));
  const place = places.find((url) => existsSync(url));
  if (place === undefined) throw new Error('Cannot find the folder trainer-bridge/proto of the package');
  return fileURLToPath(place);
}

export const protoFile = 'muxgym/v1/gym.proto';

const root = new protobuf.Root().loadSync(`${protoFolder()}/${protoFile}`);
root.resolveAll();
const service = root.lookupService(serviceName);

/** The message types of each method, by name. */
export const methodTypes: ReadonlyMap<string, MethodTypes> = new Map(
  service.methodsArray.map((method) => {
    const { name, resolvedRequestType: request, resolvedResponseType: reply } = method;
    if (request === null || reply === null) throw new Error(`Cannot resolve the types of method ${name}`);
    return [name, { request, reply, streamed: method.responseStream === true }];
  }),
);

/** The message of an error reply. */
export const errorType: protobuf.Type = root.lookupType('muxgym.v1.Error');
