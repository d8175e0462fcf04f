import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../env/index.ts';
import { parseScriptBlock } from './index.ts';

const cases = JSON.parse(
  readFileSync(join(packageRoot(), 'data', 'prompts', 'script-cases.json'), 'utf8'),
) as readonly {
  readonly name: string;
  readonly answer: string;
  readonly script: string | null;
}[];

describe('parseScriptBlock()', () => {
  test.each(cases)('agrees with the shared case, when the answer is $name', ({ answer, script }) => {
    const block = parseScriptBlock(answer);
    expect(block.type === 'script' ? block.script : null).toBe(script);
  });

  test('names why there is no script', () => {
    expect(parseScriptBlock('echo hi')).toEqual({ type: 'none', reason: 'no-fence' });
    expect(parseScriptBlock('```python\n1\n```')).toEqual({ type: 'none', reason: 'other-language' });
    expect(parseScriptBlock('```sh\nls')).toEqual({ type: 'none', reason: 'unclosed-fence' });
    expect(parseScriptBlock('```\n\n```')).toEqual({ type: 'none', reason: 'empty-block' });
  });

  test('gives back any script without a fence line, when it stands in a block', () => {
    const line = fc.string().filter((text) => !text.includes('```') && !/[\r\n]/.test(text));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        fc.pre(lines.join('').trim() !== '');
        const block = parseScriptBlock(`Here:\n\`\`\`bash\n${lines.join('\n')}\n\`\`\`\n\`\`\`\nls\n\`\`\``);
        expect(block).toEqual({ type: 'script', script: lines.join('\n') });
      }),
    );
  });
});
