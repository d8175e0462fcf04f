import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProject, type Outcome, type Project, root } from './project.ts';

const lastLine = ({ stdout }: Outcome) => stdout.trimEnd().split('\n').at(-1);
const check = (project: Project, ...names: readonly string[]) =>
  project.run('tsx', join(root, 'scripts/check.ts'), ...names);

async function createScripts(lint: string, types: string): Promise<Project> {
  const project = await createProject([]);
  await project.write('package.json', JSON.stringify({ type: 'module', scripts: { lint, types } }));
  return project;
}

async function createVitest(test: string): Promise<Project> {
  const project = await createProject([]);
  await project.write('package.json', JSON.stringify({ type: 'module' }));
  await project.write('vitest.config.ts', "export default { test: { projects: [{ test: { name: 'unit' } }] } };\n");
  await project.write('planted.test.ts', `import { expect, test } from 'vitest';\n${test}\n`);
  return project;
}

describe('check', () => {
  test('check counts each gate as one test, when it passes or fails', async () => {
    await using project = await createScripts('exit 3', 'exit 0');
    const outcome = await check(project, 'lint', 'types');
    expect(lastLine(outcome)).toBe('1 passed, 1 failed');
    expect(outcome.exitCode).toBe(1);
  });

  test('check ends with 0, when all pass', async () => {
    await using project = await createScripts('exit 0', 'exit 0');
    const outcome = await check(project, 'lint', 'types');
    expect(lastLine(outcome)).toBe('2 passed, 0 failed');
    expect(outcome.exitCode).toBe(0);
  });

  test('check counts a failure, when a gate is killed', async () => {
    await using project = await createScripts('kill -9 $$', 'exit 0');
    expect(lastLine(await check(project, 'lint'))).toBe('0 passed, 1 failed');
  });

  test('check counts single tests, when vitest reports them', async () => {
    await using project = await createVitest(
      "test('a', () => {});\ntest('b', () => expect(1).toBe(2));\ntest.skip('c', () => {});",
    );
    expect(lastLine(await check(project, 'unit'))).toBe('1 passed, 1 failed, 1 skipped');
  });

  test('check counts a failure, when a test file cannot be loaded', async () => {
    await using project = await createVitest("throw new Error('planted');");
    expect(lastLine(await check(project, 'unit'))).toBe('0 passed, 1 failed');
  });

  test('check counts a failure, when a runner ends without a report', async () => {
    await using project = await createVitest("test('a', () => {});");
    await project.write('vitest.config.ts', 'process.exit(0);\n');
    expect(lastLine(await check(project, 'unit'))).toBe('0 passed, 1 failed');
  });
});

describe('scripts/test', () => {
  async function runTest(setup: string, program: string): Promise<Outcome> {
    await using project = await createProject(['scripts/test', 'scripts/toolchain.sh']);
    await project.write('scripts/setup', `#!/bin/sh\n${setup}\n`);
    await chmod(join(project.folder, 'scripts/setup'), 0o755);
    await project.write('scripts/check.ts', program);
    return await project.run('scripts/test');
  }

  test('scripts/test passes the count on, when all went well', async () => {
    const outcome = await runTest('true', "console.log('unit: 2 passed\\n4 passed, 0 failed, 1 skipped');");
    expect(lastLine(outcome)).toBe('4 passed, 0 failed, 1 skipped');
    expect(outcome.exitCode).toBe(0);
  });

  test.each([
    ['set-up fails', 'exit 3', "console.log('1 passed, 0 failed');"],
    ['the runner dies', 'true', "console.log('1 passed, 0 failed'); process.exit(7);"],
    ['the runner prints no count', 'true', "console.log('fine');"],
    ['the runner cannot be read', 'true', 'const = ;'],
  ])('scripts/test counts a failure, when %s', async (_, setup, program) => {
    const outcome = await runTest(setup, program);
    expect(lastLine(outcome)).toMatch(/^\d+ passed, [1-9]\d* failed$/);
    expect(outcome.exitCode).toBe(1);
  });
});
