import type { Action, Solution, Task } from '../../env/index.ts';
import { drawCheck, drawEvent, drawOperation, showSecrets } from './facts.ts';
import { type Chapter, makeChapters } from './samples.ts';

/** The gallery as one Markdown page. The same generator makes the same bytes. */
export function makeGallery(): string {
  const chapters = makeChapters();
  const count = chapters.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const head = [
    '# Gallery',
    '',
    `One sample for each kind of task, ${count} in all, made by \`npx muxgym gallery\`. \`⟨0⟩\` and up stand for the secrets of an`,
    'episode, 8 hex digits each, drawn anew each time. Times are ticks after the first action. Only the prompt is shown to the agent.',
    '',
    ...chapters.map(({ title, tasks }) => `- [${title}](#${anchor(title)}): ${tasks.length}`),
  ];
  return `${[...head, ...chapters.flatMap(drawChapter)].join('\n')}\n`;
}

function drawChapter({ title, about, tasks }: Chapter): readonly string[] {
  return ['', `## ${title}`, '', about, ...tasks.flatMap(drawTask)];
}

function drawTask(task: Task): readonly string[] {
  const title = task.about === undefined ? '' : ` ${task.about.title}`;
  return [
    '',
    `### \`${task.id}\`${title}`,
    '',
    ...task.prompt.split('\n').map((line) => `> ${line}`.trimEnd()),
    '',
    ...(task.about?.teaches === undefined ? [] : [`Teaches: ${task.about.teaches}.`, '']),
    ...drawList('World', task.plan.map(drawOperation)),
    ...drawList('Events', task.events.map(drawEvent)),
    ...drawList('Checks', task.checks.map(drawCheck)),
    ...drawSolution(task.solutions.oracle[0]),
  ];
}

function drawList(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${title}:`, '', ...items.map((item) => `- ${item}`), ''];
}

function drawSolution(solution: Solution | undefined): readonly string[] {
  if (solution === undefined) return [];
  const text = solution.actions.map((action) => showSecrets(drawAction(action)).trim());
  return ['<details><summary>A solution</summary>', '', '```text', ...text, '```', '', '</details>'];
}

function drawAction(action: Action): string {
  switch (action.type) {
    case 'command':
      return action.command;
    case 'script':
      return action.script;
    case 'keys':
      return `# keys for ${action.target}: ${action.keys.join(' ')}`;
    case 'wait':
      return `# wait ${action.ticks} ticks`;
    case 'done':
      return '# done';
  }
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, '')
    .replaceAll(' ', '-');
}
