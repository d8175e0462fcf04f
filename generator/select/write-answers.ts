import { fillTemplate, hashTask, makeSecrets, type RunKey, type Task } from '../../env/index.ts';
import { openDraft } from './draft.ts';
import { batchesOf } from './write-tasks.ts';

/** `tasks.jsonl` has its answers in `tasks.answers.jsonl`. */
export function answersPath(tasksPath: string): string {
  return `${tasksPath.replace(/\.jsonl$/, '')}.answers.jsonl`;
}

/**
 * Writes what each check expects under a run key and sample 0, one task per line, to a file that only its owner can
 * read. Never put it where an agent can see it.
 */
export async function writeAnswers(tasks: Iterable<Task>, key: RunKey, path: string): Promise<void> {
  await using draft = await openDraft(path, 0o600);
  for (const batch of batchesOf(tasks)) {
    await draft.file.appendFile(batch.map((task) => formatAnswers(task, key)).join(''));
  }
  await draft.keep();
}

function formatAnswers(task: Task, key: RunKey): string {
  const hash = hashTask(task);
  const secrets = makeSecrets(key, hash, 0, task.slots);
  const checks = task.checks.map(({ id, expect }) => ({
    id,
    expect: expect.map((line) => fillTemplate(line, secrets)),
  }));
  return `${JSON.stringify({ id: task.id, hash, sample: 0, checks })}\n`;
}
