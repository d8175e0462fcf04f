import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Action, actionSchema, InputError } from '../../env/index.ts';
import type { Policy } from './policy.ts';
import { makeScriptedPolicy } from './scripted.ts';

/** Runs a file, read now, as the agent's only action on each task. Throws an InputError (`E_SCRIPT`). */
export function makeScriptFilePolicy(argument: string | null): Policy {
  const path = argument ?? '';
  const { action, digest } = readScript(path);
  return makeScriptedPolicy(`script:${path}`, () => [action], { script_sha256: digest });
}

function readScript(path: string): { readonly action: Action; readonly digest: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw scriptError(path, 'a readable file', (cause as Error).message, cause);
  }
  const parsed = actionSchema.safeParse({ type: 'script', script: text });
  if (!parsed.success) throw scriptError(path, 'a script action', parsed.error.issues[0]?.message ?? '', parsed.error);
  return { action: parsed.data, digest: createHash('sha256').update(text).digest('hex') };
}

function scriptError(where: string, expected: string, found: string, cause?: unknown): InputError {
  return new InputError({ code: 'E_SCRIPT', what: 'Cannot read the script', where, expected, found, cause });
}
