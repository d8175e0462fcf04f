import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, root } from './project.ts';

const python = 'trainer-bridge/python';
const tool = (name: string) => join(root, python, '.venv/bin', name);
const configuration = [`${python}/pyproject.toml`];
const sound = 'def double(value: int) -> int:\n    return value * 2\n';

test('ruff and mypy stay green, when a file is sound', async () => {
  await using project = await createProject(configuration);
  await project.write(`${python}/src/planted.py`, sound);
  const outcomes = [
    await project.run(tool('ruff'), 'format', '--check', python),
    await project.run(tool('ruff'), 'check', python),
    await project.run(tool('mypy'), '--config-file', `${python}/pyproject.toml`, `${python}/src/planted.py`),
  ];
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
});

test('ruff turns red, when a file is not formatted', async () => {
  await using project = await createProject(configuration);
  await project.write(`${python}/src/planted.py`, 'def double( value:int )->int:\n  return value*2\n');
  const { exitCode, output } = await project.run(tool('ruff'), 'format', '--check', python);
  expect(output).toContain('planted.py');
  expect(exitCode).toBe(1);
});

test('ruff turns red, when an import is unused', async () => {
  await using project = await createProject(configuration);
  await project.write(`${python}/src/planted.py`, `import os\n\n\n${sound}`);
  const { exitCode, output } = await project.run(tool('ruff'), 'check', python);
  expect(output).toContain('F401');
  expect(exitCode).toBe(1);
});

test('mypy turns red, when a function has no types', async () => {
  await using project = await createProject(configuration);
  await project.write(`${python}/src/planted.py`, 'def double(value):\n    return value * 2\n');
  const flags = ['--config-file', `${python}/pyproject.toml`];
  const { exitCode, output } = await project.run(tool('mypy'), ...flags, `${python}/src/planted.py`);
  expect(output).toContain('no-untyped-def');
  expect(exitCode).toBe(1);
});
