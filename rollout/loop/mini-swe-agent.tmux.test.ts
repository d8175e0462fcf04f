import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGym, type Gym, packageRoot } from '../../env/index.ts';
import { makeCliffTask } from '../../generator/index.ts';
import type { Answer, ChatRequest, Completion, ModelClient } from '../client/index.ts';
import { createLoop } from './index.ts';

const source = join(packageRoot(), 'trainer-bridge', 'python');
const python = process.env['MUXGYM_SCAFFOLD_PYTHON'] ?? join(source, '.venv', 'bin', 'python');
const env = { ...process.env, PYTHONPATH: join(source, 'src'), MSWEA_SILENT_STARTUP: '1' };
const installed = spawnSync(python, ['-c', 'import minisweagent'], { env }).status === 0;
const skipped = installed ? '' : ' (skipped: mini-swe-agent is not installed, see rollout/loop/README.md)';

/** The real package, unchanged, with a scripted model behind the run's client. */
describe.skipIf(!installed)(`mini-swe-agent in the scaffold loop${skipped}`, () => {
  const task = makeCliffTask({ profile: 'fair', depth: 1, ops: 2, seed: 7 });
  const solve = task.solutions.oracle[0]!.actions.map((action) =>
    action.type === 'script' ? action.script : action.type === 'command' ? action.command : '',
  )
    .join('\n')
    .trim();
  let gym: Gym;
  beforeAll(async () => {
    gym = await createGym();
  });
  afterAll(() => gym.close());

  test.each([
    ['by tool calls', '', (command: string) => callOf(command)],
    ['in plain text', ' --text', (command: string) => textOf(command)],
  ])('solves a cliff task %s, and its format failures are counted', async (_, flags, say) => {
    const { client, requests } = makeScriptedClient([wordsOf('Let me think.'), say(solve), say(`echo ${submit}`)]);
    const scaffold = `PYTHONPATH=${env.PYTHONPATH} ${python} -m muxgym.scaffold.mini_swe${flags}`;
    const loop = createLoop('scaffold', { scaffold });
    await using world = gym.createEnv();
    const { info } = await world.reset({ task });
    const seat = { env: world, task, prompt: info.prompt, sample: 0, signal: new AbortController().signal };
    const play = await loop.play(seat, client, { temperature: 0, maxTokens: 64 });
    expect(play.truncatedBy).toBeNull();
    expect(play.turns.map(({ step, format_failure }) => [step, format_failure])).toEqual([
      [null, 'no-action'],
      [1, null],
      [2, null],
    ]);
    expect(JSON.stringify(requests[0]?.messages)).toContain('Please solve this issue');
    expect(requests[0]?.tools?.map(({ name }) => name) ?? []).toEqual(flags === '' ? ['bash'] : []);
    expect(await world.grade()).toMatchObject({ outcome: 'scored', passed: true, reward: 1 });
  });
});

const submit = 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';

function makeScriptedClient(answers: readonly Answer[]) {
  const requests: ChatRequest[] = [];
  const complete = async (request: ChatRequest): Promise<Completion> => {
    requests.push(request);
    return answers[requests.length - 1] ?? wordsOf('nothing more');
  };
  const client: ModelClient = {
    model: 'scripted',
    complete,
    requireTools: async () => undefined,
    isReachable: async () => true,
  };
  return { client, requests };
}

function wordsOf(text: string): Answer {
  return { type: 'answer', text, toolCalls: [], finishReason: 'stop', promptTokens: 1, completionTokens: 1 };
}

function textOf(command: string): Answer {
  return wordsOf(`THOUGHT: so.\n\n\`\`\`mswea_bash_command\n${command}\n\`\`\``);
}

function callOf(command: string): Answer {
  const call = { id: `c${command.length}`, name: 'bash', arguments: JSON.stringify({ command }) };
  return { ...wordsOf('so'), toolCalls: [call], finishReason: 'tool_calls' };
}
