import type { Action } from '../../env/index.ts';

/** `Action` of gym.proto. A message without a kind is no action; the core refuses it. */
export interface WireAction {
  readonly kind?: 'command' | 'script' | 'keys' | 'waitTicks' | 'done';
  readonly command?: string;
  readonly script?: string;
  readonly keys?: { readonly target: string; readonly keys: readonly string[] } | null;
  readonly waitTicks?: number;
  readonly done?: boolean;
}

/** May return what is no valid action; whoever acts validates. */
export function actionFromWire(wire: WireAction | null): Action {
  return candidate(wire) as Action;
}

function candidate(wire: WireAction | null): unknown {
  switch (wire?.kind) {
    case 'command':
      return { type: 'command', command: wire.command };
    case 'script':
      return { type: 'script', script: wire.script };
    case 'keys':
      return { type: 'keys', target: wire.keys?.target, keys: wire.keys?.keys };
    case 'waitTicks':
      return { type: 'wait', ticks: wire.waitTicks };
    case 'done':
      return wire.done === true ? { type: 'done' } : undefined;
    case undefined:
      return undefined;
  }
}

export function actionToWire(action: Action): WireAction {
  switch (action.type) {
    case 'command':
      return { command: action.command };
    case 'script':
      return { script: action.script };
    case 'keys':
      return { keys: { target: action.target, keys: action.keys } };
    case 'wait':
      return { waitTicks: action.ticks };
    case 'done':
      return { done: true };
  }
}
