import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { InputError } from '../../env/index.ts';
import { suiteFolder } from './load-tasks.ts';

/** What one may begin from: a task of the house for each. */
const samples: Readonly<Record<string, string>> = {
  solo: 'solo/A-SEND-001.toml',
  death: 'events/B-DIE-001.toml',
  activity: 'events/B-ACTIVITY-001.toml',
  silence: 'events/B-SILENCE-002.toml',
  bell: 'events/B-BELL-001.toml',
  completion: 'events/B-WAIT-001.toml',
  interrupt: 'events/B-INTERRUPT-001.toml',
  control: 'control/C-FANOUT-001.toml',
};

export const templateKinds: readonly string[] = Object.keys(samples);

/**
 * The text of a task file to start from, for the place where it will lie. It is a whole task that validates. Throws an
 * InputError (`E_KIND`) for a kind that there is none of.
 */
export function makeTaskTemplate(id: string, kind: string, path: string): string {
  const sample = samples[kind];
  if (sample === undefined) {
    throw new InputError({
      code: 'E_KIND',
      what: 'Cannot make a task of a kind',
      where: '--kind',
      expected: `one of ${templateKinds.join(', ')}`,
      found: JSON.stringify(kind),
    });
  }
  const text = readFileSync(join(suiteFolder, sample), 'utf8');
  const schema = relative(dirname(resolve(path)), join(suiteFolder, 'task.schema.json'));
  return text.replace(/^#:schema .*$/m, `#:schema ${schema}`).replace(/^id = ".*"$/m, `id = "${id}"`);
}
