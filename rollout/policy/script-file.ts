import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { InputError } from '../../env/index.ts';
import type { Policy } from './policy.ts';
import { makeScriptedPolicy } from './scripted.ts';

/** The bound of the `script` action, in characters. */
const maxScript = 262_144;

/** Runs a file, read now, as the agent's only action on each task. Throws an InputError (`E_SCRIPT`). */
export function makeScriptFilePolicy(argument: string | null): Policy {
  const path = argument ?? '';
  const script = readScript(path);
  const digest = createHash('sha256').update(script).digest('hex');
  return makeScriptedPolicy(`script:${path}`, () => [{ type: 'script', script }], { script_sha256: digest });
}

function readScript(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw scriptError(path, 'a readable file', (cause as Error).message, cause);
  }
  if (text.length > maxScript) throw scriptError(path, `at most ${maxScript} characters`, `${text.length}`);
  return text;
}

function scriptError(where: string, expected: string, found: string, cause?: unknown): InputError {
  return new InputError({ code: 'E_SCRIPT', what: 'Cannot read the script', where, expected, found, cause });
}
