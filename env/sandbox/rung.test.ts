import { expect, test } from 'vitest';
import { isAtLeast, rungs } from './index.ts';

test('isAtLeast() orders the rungs from bubblewrap down to bare', () => {
  expect(rungs.map((rung) => rungs.filter((least) => isAtLeast(rung, least)))).toEqual([
    ['bubblewrap', 'uid', 'bare'],
    ['uid', 'bare'],
    ['bare'],
  ]);
});
