import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, root } from './project.ts';

const hadolint = join(root, 'trainer-bridge/python/.venv/bin/hadolint');

test('hadolint stays green on our Dockerfile and turns red, when a step is planted that breaks a rule', async () => {
  await using project = await createProject(['Dockerfile.h100']);
  expect((await project.run(hadolint, 'Dockerfile.h100')).exitCode).toBe(0);
  const text = await readFile(join(root, 'Dockerfile.h100'), 'utf8');
  await project.write('Dockerfile.h100', text.replace(/^WORKDIR .*$/m, 'WORKDIR relative\nRUN sudo true'));
  const { exitCode, output } = await project.run(hadolint, 'Dockerfile.h100');
  expect(output).toMatch(/DL3000[\s\S]*DL3004/);
  expect(exitCode).toBe(1);
});
