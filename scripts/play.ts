import { createInterface } from 'node:readline';
import { Command, InvalidArgumentError } from 'commander';
import { type Action, createGym, type Env, InputError, type Task } from '../env/index.ts';
import { selectTasks } from '../generator/index.ts';
import { interruptSignal, runCommand, setExitCode } from './output.ts';
import type { Dialogue } from './play-dialogue.ts';
import { jsonDialogue } from './play-json.ts';
import { textDialogue } from './play-text.ts';
import { parseKeyFlag } from './run-key.ts';

interface PlayOptions {
  readonly task: string;
  readonly json?: true;
  readonly sample: number;
  readonly key?: string;
}

export function playCommand(): Command {
  return new Command('play')
    .description('Plays one episode by hand; with --json, one action per line of stdin')
    .requiredOption('--task <id|file>', 'task id, such as cliff-d1-n2-s7, or a task file')
    .option('--json', 'JSON lines in and out')
    .option('--sample <number>', 'which set of secrets', parseSample, 0)
    .option('--key <hex>', 'run key, 64 hex digits (default: a new one)')
    .action(
      runCommand(async (options: PlayOptions) => {
        const task = chooseTask(options.task);
        const key = options.key === undefined ? {} : { runKey: parseKeyFlag(options.key) };
        await using gym = await createGym(key);
        await using env = gym.createEnv();
        await play(env, task, options.sample, options.json === true ? jsonDialogue : textDialogue);
      }),
    );
}

/** One task, by its id or its file. Throws an InputError as `selectTasks` does, `E_TASKS` where there are several. */
function chooseTask(word: string): Task {
  const tasks = selectTasks({ tasks: [word] });
  const [task] = tasks;
  if (task !== undefined && tasks.count() === 1) return task;
  throw new InputError({
    code: 'E_TASKS',
    what: 'Cannot play more than one task',
    where: `--task ${word}`,
    expected: 'one task',
    found: `${tasks.count()} tasks`,
  });
}

/** The whole episode: prompt, actions from stdin until done, a limit or the end of input, then the grade. */
async function play(env: Env, task: Task, sample: number, dialogue: Dialogue): Promise<void> {
  const { info } = await env.reset({ task, sample });
  dialogue.begin(info.prompt);
  let ended = false;
  const lines = createInterface({ input: process.stdin, signal: interruptSignal() });
  for await (const line of lines) {
    const action = dialogue.read(line);
    if (action === null) continue;
    ended = await act(env, action, dialogue);
    if (ended) break;
    dialogue.invite();
  }
  lines.close();
  // The end of input says done.
  if (!ended) await act(env, { type: 'done' }, dialogue);
  const grade = await env.grade();
  dialogue.end(grade);
  if (grade.outcome === 'masked') setExitCode(3);
}

async function act(env: Env, action: Action, dialogue: Dialogue): Promise<boolean> {
  const step = await env.step(action);
  dialogue.answer(step);
  return step.terminated || step.truncated !== false;
}

function parseSample(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('a sample is a whole number from 0');
  return Number(text);
}
