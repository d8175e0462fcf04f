import { expect, test } from 'vitest';
import { parseScriptBlock, parseTextDirective } from './index.ts';

/** BR-30 (SWE-agent#891, smolagents#1219): several blocks or commands, and the wrong one runs. */
const rows = [
  ['prose with an example block, then the real block', 'E.g.\n```bash\nrm x\n```\nRUN:\n```bash\nls\n```', 'ls'],
  ['two commands in one block', 'RUN:\n```bash\nls\npwd\n```', 'ls\npwd'],
  ['two RUN lines', 'RUN: ls\nRUN: pwd', 'ls'],
  ['RUN followed by a backticked command', 'RUN: `ls`', 'ls'],
  ['RUN followed by two backticked commands', 'RUN: `ls` `pwd`', null],
  ['a fence never closed', 'RUN:\n```bash\nls', null],
] as const;

test.each(rows)('parseTextDirective() makes one stable choice or none, when there is %s', (_, answer, command) => {
  const directive = parseTextDirective(answer, false);
  expect(directive.type === 'run' ? directive.command : null).toBe(command);
});

test.each([
  ['two blocks', '```bash\nls\n```\n```bash\npwd\n```', 'ls'],
  ['a fence never closed', '```bash\nls', null],
])('parseScriptBlock() makes one stable choice or none, when there is %s', (_, answer, script) => {
  const block = parseScriptBlock(answer);
  expect(block.type === 'script' ? block.script : null).toBe(script);
});
