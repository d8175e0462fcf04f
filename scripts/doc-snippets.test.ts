import { describe, expect, test } from 'vitest';
import { parseSnippets, shortenOpeners } from './doc-snippets.ts';

describe('parseSnippets()', () => {
  test('parseSnippets() reads the mark, when a comment stands above', () => {
    const text = ['<!-- run -->', '```sh', 'true', '```', '<!-- not run: needs a GPU -->', '', '```sh', 'x', '```'];
    expect(parseSnippets(text.join('\n'))).toEqual([
      { line: 2, language: 'sh', code: 'true', mark: 'run' },
      { line: 7, language: 'sh', code: 'x', mark: 'not-run' },
    ]);
  });

  test('parseSnippets() gives no mark, when text stands between or no reason is given', () => {
    const text = ['<!-- run -->', 'Then:', '```sh', 'true', '```', '<!-- not run: -->', '```sh', 'x', '```'];
    expect(parseSnippets(text.join('\n')).map(({ mark }) => mark)).toEqual([null, null]);
  });

  test('parseSnippets() leaves out blocks, when nothing can execute them', () => {
    expect(parseSnippets('```json\n{}\n```\n')).toEqual([]);
  });

  test('parseSnippets() throws with the line, when a block has no end', () => {
    expect(() => parseSnippets('text\n```sh\ntrue')).toThrow('line 2');
  });
});

describe('shortenOpeners()', () => {
  test('shortenOpeners() changes only the two openers, when they stand alone', () => {
    const code = 'scripts/demo   # everything\nscripts/test\nscripts/demo --out x\necho scripts/test';
    expect(shortenOpeners(code)).toBe('scripts/demo --quick\n:\nscripts/demo --out x\necho scripts/test');
  });
});
