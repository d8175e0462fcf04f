import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatSteps, readDockerfileSteps } from './dockerfile-steps.ts';

const read = (text: string) => readDockerfileSteps(text, 'Dockerfile');

test('readDockerfileSteps() reads stages, variables and copies, when a file has several stages', () => {
  const text = 'FROM debian:12 AS base\nARG KIND=cuda\nFROM base AS last\nCOPY --from=base /a /b ./\nENV A=1 B=2\n';
  expect(read(text)).toEqual([
    { line: 1, type: 'from', base: 'debian:12', stage: 'base' },
    { line: 2, type: 'arg', name: 'KIND', value: 'cuda' },
    { line: 3, type: 'from', base: 'base', stage: 'last' },
    { line: 4, type: 'copy', from: 'base', paths: ['/a', '/b', './'] },
    { line: 5, type: 'env', name: 'A', value: '1' },
    { line: 5, type: 'env', name: 'B', value: '2' },
  ]);
});

test('readDockerfileSteps() joins continued lines and names the group above, when a RUN has both', () => {
  const [, first, second] = read('FROM a\n# group: train\nRUN one \\\n  && two "$X"\nRUN three\n');
  expect(first).toEqual({ line: 3, type: 'run', group: 'train', script: 'one   && two "$X"' });
  expect(second).toEqual({ line: 5, type: 'run', group: null, script: 'three' });
});

test('readDockerfileSteps() reads the words, when a command is a JSON list', () => {
  const [, step] = read('FROM a\nHEALTHCHECK --interval=5s CMD ["x", "it\'s"]\n');
  expect(step).toEqual({ line: 2, type: 'healthcheck', words: ['x', "it's"] });
});

test('readDockerfileSteps() names the line, when it does not know an instruction', () => {
  expect(() => read('FROM a\nONBUILD RUN x\n')).toThrow(/Dockerfile:2.*ONBUILD/);
});

test('formatSteps() quotes for sh, when a script has quotes of both kinds', () => {
  expect(formatSteps(read('FROM a AS b\nRUN echo "$X" \'y\'\n'))).toBe(
    "step_from 1 'a' 'b'\nstep_run 2 '' 'echo \"$X\" '\\''y'\\'''\n",
  );
});

test('Dockerfile.h100 holds only instructions that can be executed without Docker', () => {
  const steps = readDockerfileSteps(readFileSync('Dockerfile.h100', 'utf8'), 'Dockerfile.h100');
  expect(steps.filter(({ type }) => type === 'run')).not.toHaveLength(0);
  expect(steps.filter((step) => step.type === 'from').map(({ stage }) => stage)).toContain('runtime');
});
