import { InputError } from '../../env/index.ts';
import { BusyError } from './refusal.ts';
import { protocolVersion } from './service.ts';

/** The refusal of a request that was called off. */
export function cancelled(): InputError {
  return new InputError({
    code: 'E_CANCELLED',
    what: 'The request was cancelled',
    hint: 'send it again under a new key',
  });
}

export function draining(): BusyError {
  const facts = {
    code: 'E_DRAINING',
    what: 'Cannot take anything new as the server is shutting down',
    hint: 'finish the episodes that live, and create on another server',
  };
  return new BusyError(facts, 1_000);
}

export function otherProtocol(found: number): InputError {
  return new InputError({
    code: 'E_PROTOCOL',
    what: 'Cannot serve a client of another protocol version',
    where: 'protocol',
    expected: String(protocolVersion),
    found: String(found),
    hint: 'install the client of the same muxgym version as the server',
  });
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export function badAction(issue: Issue | undefined, place = ''): InputError {
  const path = issue === undefined ? 'action' : ['action', ...issue.path.map(String)].join('.');
  return new InputError({
    code: 'E_ACTION',
    what: `Cannot take the action: ${issue?.message ?? 'it has no known form'}`,
    where: `${place}${path}`,
    expected: 'one of command, script, keys, wait_ticks, done',
  });
}

export function nothingToNarrow(name: string): InputError {
  return new InputError({
    code: 'E_SPLIT',
    what: `Cannot narrow to split "${name}" as the server serves no split`,
    where: 'split',
    expected: 'no split, or a server started with --split FILE:NAME',
    found: JSON.stringify(name),
  });
}

export function noSuchTask(id: string, where: string, cause: InputError): InputError {
  const what = `Cannot find task ${JSON.stringify(id.slice(0, 128))}: ${cause.facts.what}`;
  return new InputError({ ...cause.facts, code: 'E_TASK', what, where, cause });
}

export function notPushed(episode: string): InputError {
  return new InputError({
    code: 'E_DELIVERY',
    what: 'Cannot stream the events of an episode that does not push them',
    where: `episode ${episode}`,
    expected: 'an episode created with delivery "push"',
    hint: 'create the episode with delivery "push"',
  });
}

/** What a call that still runs is told when its episode is released. */
export function released(episode: string): InputError {
  return new InputError({
    code: 'E_EPISODE',
    what: 'Cannot use the episode: it was released',
    where: `episode ${episode}`,
  });
}
