import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, root } from './project.ts';

async function writeManifest(
  write: (path: string, text: string) => Promise<void>,
  dependencies: object,
): Promise<void> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, type, bin } = manifest;
  await write('package.json', JSON.stringify({ name, type, bin, dependencies }));
}

test('knip stays green, when everything is used', async () => {
  await using project = await createProject(['knip.jsonc', 'tsconfig.json']);
  await writeManifest(project.write, {});
  await project.write('scripts/muxgym.ts', "import { used } from '../env/used.ts';\nused();\n");
  await project.write('env/used.ts', 'export function used(): void {}\n');
  const { output } = await project.run('knip', '--no-progress');
  expect(output).not.toMatch(/^Unused (files|exports|dependencies)/m);
});

test('knip turns red, when a file, an export or a dependency is dead', async () => {
  await using project = await createProject(['knip.jsonc', 'tsconfig.json']);
  await writeManifest(project.write, { zod: '*' });
  await project.write('scripts/muxgym.ts', "import { used } from '../env/used.ts';\nused();\n");
  await project.write('env/used.ts', 'export function used(): void {}\nexport function deadExport(): void {}\n');
  await project.write('env/dead-file.ts', 'export const one = 1;\n');
  const { exitCode, output } = await project.run('knip', '--no-progress');
  expect(output).toMatch(/^Unused files[\s\S]*env\/dead-file\.ts/m);
  expect(output).toMatch(/^Unused exports[\s\S]*deadExport/m);
  expect(output).toMatch(/^Unused dependencies[\s\S]*zod/m);
  expect(exitCode).toBe(1);
});
