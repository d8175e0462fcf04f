import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../env/index.ts';
import { parseTextDirective } from './index.ts';

interface Case {
  readonly name: string;
  readonly answer: string;
  readonly cut?: boolean;
  readonly command?: string;
  readonly done?: boolean;
  readonly failure?: string;
}

const cases = JSON.parse(
  readFileSync(join(packageRoot(), 'data', 'prompts', 'text-cases.json'), 'utf8'),
) as readonly Case[];

describe('parseTextDirective()', () => {
  test.each(cases)('agrees with the shared case, when the answer is $name', (shared) => {
    const directive = parseTextDirective(shared.answer, shared.cut ?? false);
    expect({
      command: directive.type === 'run' ? directive.command : undefined,
      done: directive.type === 'done' ? true : undefined,
      failure: directive.type === 'none' ? directive.reason : undefined,
    }).toEqual({ command: shared.command, done: shared.done, failure: shared.failure });
  });

  test('never gives a one-line command with a backtick, whatever the answer is', () => {
    const word = fc.constantFrom('`', '```', 'RUN: ', 'DONE', '\n', 'ls', ' ', 'bash');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.boolean(), (words, cut) => {
        const directive = parseTextDirective(words.join(''), cut);
        if (directive.type !== 'run') return;
        expect(directive.command.trim()).not.toBe('');
        if (!words.includes('```')) expect(directive.command).not.toContain('`');
      }),
    );
  });
});
