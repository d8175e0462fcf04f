import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, type Project, readPlanted } from './project.ts';

const planted = await readPlanted('biome');
const sound = planted.find(({ name }) => name === 'later');
const violations = planted.filter(({ name }) => name !== 'later');

describe('biome', () => {
  let project: Project;

  beforeAll(async () => {
    project = await createProject(['biome.json']);
    for (const { name, text } of planted) await project.write(`env/${name}.ts`, text);
  });
  afterAll(async () => project[Symbol.asyncDispose]());

  test('biome stays green, when a file is sound', async () => {
    expect(sound).toBeDefined();
    const { exitCode, output } = await project.run('biome', 'ci', '--colors=off', 'env/later.ts');
    expect(output).toContain('Checked 1 file');
    expect(exitCode).toBe(0);
  });

  test.each(violations)('biome turns red, when $name is violated', async ({ name }) => {
    const { exitCode, output } = await project.run('biome', 'ci', '--colors=off', `env/${name}.ts`);
    expect(output).toMatch(new RegExp(`^env/${name}\\.ts.* (lint/\\w+/)?${name}\\b`, 'm'));
    expect(exitCode).toBe(1);
  });
});
