import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { InputError } from '../env/index.ts';
import { makeTaskJsonSchema, makeTaskTemplate, templateKinds } from '../generator/index.ts';
import { printJson, printLine, runCommand } from './output.ts';
import { writeOutputFile } from './output-file.ts';

interface NewTaskOptions {
  readonly kind: string;
  readonly out?: string;
  readonly schema?: true;
  readonly json?: true;
}

export function newTaskCommand(): Command {
  return new Command('new-task')
    .description('Writes a task file to start from; it validates as it is')
    .argument('[id]', 'id of the task, such as B-DIE-100')
    .option('--kind <kind>', `what it is about: ${templateKinds.join(', ')}`, 'solo')
    .option('--out <folder>', 'folder of the file (default: the current one)')
    .option('--schema', 'print the JSON Schema of task files instead')
    .option('--json', 'one JSON object on stdout at the end')
    .action(runCommand(newTask));
}

function newTask(id: string | undefined, { kind, out = '.', schema, json }: NewTaskOptions): void {
  if (schema === true) {
    printLine(JSON.stringify(makeTaskJsonSchema(), null, 2));
    return;
  }
  const path = join(out, `${requireId(id)}.toml`);
  if (existsSync(path)) {
    throw new InputError({
      code: 'E_EXISTS',
      what: 'Cannot write a new task',
      where: path,
      found: 'a file of that name',
    });
  }
  const text = makeTaskTemplate(requireId(id), kind, path);
  writeOutputFile(path, text, { fresh: true });
  if (json === true) printJson({ file: path, kind });
  else printLine(`wrote ${path}; next: muxgym validate --watch ${path}, muxgym play --task ${path}`);
}

function requireId(id: string | undefined): string {
  if (id !== undefined && /^[A-Z][A-Z0-9-]{0,63}$/.test(id)) return id;
  throw new InputError({
    code: 'E_TASK_ID',
    what: 'Cannot name a task',
    where: '[id]',
    expected: 'capital letters, digits and hyphens, such as B-DIE-100',
    found: id === undefined ? 'none' : JSON.stringify(id),
  });
}
