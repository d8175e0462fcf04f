import type * as service from '../core/index.ts';
import { lookupMethod } from './dispatcher.ts';
import type { codecs } from './method-codec.ts';

/** Carries one encoded request and returns the encoded reply, or rejects with RemoteError. */
export type Carry = (method: string, payload: Uint8Array) => Promise<Uint8Array>;

/** The service as a client sees it, over any wire. */
export function makeRemoteService(carry: Carry): service.BridgeService {
  const call = async (name: keyof typeof codecs, request: unknown): Promise<unknown> => {
    const { codec, types } = lookupMethod(name);
    const payload = types.request.encode(codec.requestToWire(request) as Record<string, unknown>).finish();
    return codec.replyFromWire(types.reply.decode(await carry(name, payload)));
  };
  return {
    describe: (request) => call('Describe', request) as Promise<service.Description>,
    list: (request) => call('List', request) as Promise<service.TaskPage>,
    prefetch: (request) => call('Prefetch', request) as Promise<number>,
    create: (request) => call('Create', request) as Promise<readonly service.EpisodeStart[]>,
    act: (request) => call('Act', request) as ReturnType<service.BridgeService['act']>,
    grade: (request) => call('Grade', request) as ReturnType<service.BridgeService['grade']>,
    release: (request) => call('Release', request) as Promise<void>,
    scoreScripts: (request) => call('ScoreScripts', request) as ReturnType<service.BridgeService['scoreScripts']>,
    cancel: (request) => call('Cancel', request) as Promise<boolean>,
    health: () => call('Health', {}) as Promise<service.Health>,
    heartbeat: (request) => call('Heartbeat', request) as Promise<void>,
  };
}
