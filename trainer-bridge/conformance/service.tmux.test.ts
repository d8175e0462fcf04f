import { describe } from 'vitest';
import { checkEvents } from './events.conformance.ts';
import { wires } from './serve-wires.ts';
import { checkService } from './service.conformance.ts';

for (const [name, serve] of Object.entries(wires)) {
  describe(`BridgeService ${name}`, () => checkService(serve));
  describe(`EventService ${name}`, () => checkEvents(serve));
}
