import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, type Outcome, root } from './project.ts';

async function checkDocs(...lines: readonly string[]): Promise<Outcome> {
  await using project = await createProject([]);
  await project.write('README.md', lines.join('\n'));
  return await project.run('tsx', join(root, 'scripts/check-docs.ts'), 'README.md');
}

test('check-docs stays green, when each snippet runs or says why not', async () => {
  const { exitCode, output } = await checkDocs(
    '<!-- run -->',
    '```sh',
    'test -d .git',
    '```',
    '<!-- not run: needs a GPU -->',
    '```sh',
    'false',
    '```',
  );
  expect(output).toContain('1 of 1 snippets passed');
  expect(exitCode).toBe(0);
});

test('check-docs turns red with the place, when a snippet fails', async () => {
  const { exitCode, output } = await checkDocs('# Title', '<!-- run -->', '```sh', 'false | cat', '```');
  expect(output).toContain('README.md:3');
  expect(exitCode).toBe(1);
});

test('check-docs turns red, when a snippet has no mark', async () => {
  const { exitCode, output } = await checkDocs('```sh', 'true', '```');
  expect(output).toContain('has no mark');
  expect(exitCode).toBe(1);
});

test('check-docs ends what a snippet left running, when the snippet ends', async () => {
  await using project = await createProject([]);
  await project.write('README.md', '<!-- run -->\n```sh\nsleep 600 & echo $! > pid\n```\n');
  const { exitCode } = await project.run('tsx', join(root, 'scripts/check-docs.ts'), 'README.md');
  expect(exitCode).toBe(0);
  const state = await project.run('bash', '-c', 'ps -o stat= -p "$(cat pid)" | grep -v Z');
  expect(state.stdout).toBe('');
});
