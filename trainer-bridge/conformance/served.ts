import type { BridgeCore, BridgeService, CoreOptions, EventService } from '../core/index.ts';
import type { Carry } from '../protobuf/index.ts';

/** A core behind one wire, as the conformance suite sees it. */
export interface Served extends AsyncDisposable {
  readonly core: BridgeCore;
  /** The service as a client of this wire sees it. */
  readonly service: BridgeService;
  /** The events as a client of this wire follows them; null where there are no streams. */
  readonly events: EventService | null;
  /** Raw bytes over this wire; null where there are none. */
  readonly carry: Carry | null;
}

/** Puts a core behind a wire. */
export type Serve = (options: CoreOptions) => Promise<Served>;
