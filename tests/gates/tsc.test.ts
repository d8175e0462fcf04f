import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, type Outcome, type Project, readPlanted } from './project.ts';

const violations = await readPlanted('tsc');

describe('tsc', () => {
  let project: Project;
  let outcome: Outcome;

  beforeAll(async () => {
    project = await createProject(['tsconfig.json', 'package.json']);
    await project.write('env/sound.ts', 'export const one = 1;\n');
    for (const { name, text } of violations) await project.write(`env/${name}.ts`, text);
    outcome = await project.run('tsc', '--noEmit');
  });
  afterAll(async () => project[Symbol.asyncDispose]());

  test('tsc stays green, when a file is sound', () => {
    expect(outcome.output).not.toContain('env/sound.ts');
  });

  test.each(violations)('tsc turns red, when $name is violated', ({ name }) => {
    const code = name.split('-')[1];
    expect(outcome.output).toMatch(new RegExp(`^env/${name}\\.ts\\(.*error ${code}:`, 'm'));
    expect(outcome.exitCode).toBe(2);
  });
});
