import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { eventKinds } from '../../env/index.ts';
import { listTaskFiles, suiteFolder, suiteNames } from '../suite/index.ts';
import { makeGallery } from './index.ts';

const page = makeGallery();

describe('makeGallery()', { timeout: 60_000 }, () => {
  test('is what docs/gallery.md holds', () => {
    const committed = readFileSync(fileURLToPath(new URL('../../docs/gallery.md', import.meta.url)), 'utf8');
    expect(committed === page, 'run npx muxgym gallery --out docs/gallery.md').toBe(true);
  });

  test('has a sample of each depth, kind of event, level, arm and category', () => {
    const ids = [...page.matchAll(/^### `([^`]+)`/gm)].map((match) => match[1]!);
    expect(ids.filter((id) => /^cliff-d[0-4]-/.test(id))).toHaveLength(5);
    for (const kind of [...eventKinds, 'mixed']) expect(ids.some((id) => id.startsWith(`events-${kind}-`))).toBe(true);
    for (const level of [0, 1, 2, 3, 4]) expect(ids.some((id) => id.includes(`-e${level}-`))).toBe(true);
    const files = suiteNames.flatMap((suite) => listTaskFiles(join(suiteFolder, suite)));
    const categories = new Set(files.map((file) => /^category = .*$/m.exec(readFileSync(file, 'utf8'))?.[0]));
    expect(ids.filter((id) => /^[ABC]-/.test(id))).toHaveLength(categories.size);
  });

  test('shows secrets by their numbers only', () => {
    expect(page).not.toContain('{{slot');
    expect(page).toContain('⟨0⟩');
  });
});
