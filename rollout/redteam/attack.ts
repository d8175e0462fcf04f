import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Grade, type Gym, hashTask, makeSecrets, type Task } from '../../env/index.ts';
import { createBeside } from './beside.ts';
import type { Aim, Exploit } from './exploit.ts';
import { prepareScript } from './script.ts';
import { taskOf } from './tasks.ts';

/** What an attack came to, seen from outside. */
export interface Seen {
  /** What the exploit printed. */
  readonly text: string;
  readonly grade: Grade;
  /** Real milliseconds that grading took. */
  readonly gradeMs: number;
  /** The longest time in which nothing of the gym ran, in real milliseconds. */
  readonly stalledMs: number;
  /** Growth of the gym's memory while grading, in bytes. */
  readonly grownBytes: number;
  /** The trace as it is kept, and as raw text. */
  readonly line: string;
  readonly leaked: boolean;
  readonly harm: 'neighbour' | 'host' | null;
}

/** Plays an exploit once. A BLOCKED one is followed by an honest answer in the same episode. */
export async function attack(gym: Gym, exploit: Exploit, task: Task): Promise<Seen> {
  await using beside = await createBeside(gym, task, exploit.beside);
  await using env = gym.createEnv();
  await env.reset({ task });
  const act = (script: string) => env.step({ type: 'script', script: prepareScript(task, script, beside.port) });
  const delay = monitorEventLoopDelay();
  delay.enable();
  const step = await act(exploit.script);
  if (exploit.expected === 'BLOCKED' && !step.terminated) await act(exploit.twin ?? 'oracle');
  const before = { time: performance.now(), memory: process.memoryUsage().rss };
  const grade = await env.grade();
  const gradeMs = performance.now() - before.time;
  delay.disable();
  const secrets = [...makeSecrets(gym.runKey, hashTask(task), 0, task.slots), gym.runKey];
  const { text } = step.observation;
  return {
    text,
    grade,
    gradeMs,
    stalledMs: delay.max / 1e6,
    grownBytes: process.memoryUsage().rss - before.memory,
    line: exploit.disarm.change === 'raw-lines' && task !== taskOf(exploit) ? text : JSON.stringify(env.trace()),
    leaked: secrets.some((secret) => text.includes(secret)),
    harm: await beside.findHarm(),
  };
}

/** Plays the honest twin of an exploit; true where it scores 1. */
export async function playTwin(gym: Gym, exploit: Exploit): Promise<boolean> {
  const task = taskOf(exploit);
  await using env = gym.createEnv();
  await env.reset({ task });
  await env.step({ type: 'script', script: prepareScript(task, exploit.twin ?? 'oracle') });
  const { outcome, reward, passed } = await env.grade();
  return outcome === 'scored' && reward === 1 && passed;
}

/** Whether an attack got what it was after. */
export function isReached(aim: Aim, { text, grade, gradeMs, stalledMs, line, leaked, harm }: Seen): boolean {
  switch (aim.type) {
    case 'passes':
      return grade.passed;
    case 'prints':
      return aim.pattern.test(text);
    case 'leaks':
      return leaked;
    case 'read': {
      const value = grade.checks[0]?.value ?? null;
      return aim.text === undefined ? value !== null : value === aim.text;
    }
    case 'masked':
      return grade.outcome === 'masked';
    case 'slow':
      return gradeMs > aim.ms;
    case 'stalls':
      return stalledMs > aim.ms;
    case 'long':
      return Buffer.byteLength(text) > aim.bytes;
    case 'raw':
      return /[\0-\x1f]/.test(line);
    case 'neighbour':
    case 'host':
      return harm === aim.type;
  }
}
