import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Action, createGym, type Env, type Gym, type ResetOptions, type Task } from '../../env/index.ts';
import { makeCliffTask, makeEventTask } from '../../generator/index.ts';
import { TestTimer } from '../client/client.conformance.ts';
import {
  type ClientOptions,
  connectAnthropic,
  connectFusion,
  connectOpenAi,
  type ModelClient,
} from '../client/index.ts';
import { serveWire, type Vendor, type WireCall, type WireReply } from '../client/recorded-wire.conformance.ts';
import { createLoop, type Loop, type LoopName, loopNames, type Seat } from './index.ts';

const task = makeCliffTask({ profile: 'fair', depth: 0, ops: 1, seed: 3 });
const command = commandOf(task);
const folder = mkdtempSync(join(tmpdir(), 'muxgym-loops-'));
const agent = join(folder, 'agent.py');
let gym: Gym;

beforeAll(async () => {
  writeFileSync(agent, agentSource);
  gym = await createGym();
});
afterAll(async () => {
  await gym.close();
  rmSync(folder, { recursive: true });
});

/** An outside agent: asks the model of the run, runs what it says, and is done after the first command. */
const agentSource = `
import json, sys

def ask(value):
    print(json.dumps(value), flush=True)
    return json.loads(sys.stdin.readline())

messages = [{"role": "user", "content": json.loads(sys.stdin.readline())["prompt"]}]
while True:
    said = ask({"type": "model", "messages": messages})
    if "error" in said:
        sys.exit(1)
    text = said["answer"]["content"]
    if "<tool_call>" in text:
        ask({"type": "format_failure", "reason": "no-command"})
        messages += [{"role": "assistant", "content": text}, {"role": "user", "content": "a command, please"}]
        continue
    assert ask({"type": "nonsense"})["error"]["code"] == "E_ACTION"
    assert ask({"type": "command", "command": text})["observation"]["exitCode"] == 0
    break
`;

/** Answers that solve the task, one a turn, in the form of each loop. */
const solving: Readonly<Record<LoopName, readonly WireReply[]>> = {
  script: [says(`\`\`\`bash\n${command}\n\`\`\``)],
  text: [says(`RUN:\n\`\`\`bash\n${command}\n\`\`\``), says('DONE')],
  tool: [calls('command', { command }), calls('done', {})],
  scaffold: [says(command)],
};

const callAsText = says('<tool_call>\n{"name": "command", "arguments": {"command": "ls"}}\n</tool_call>');
/** Why an answer with a call as text is none, in the words of each loop. */
const failureOf: Readonly<Record<LoopName, string>> = {
  script: 'no-fence',
  text: 'no-directive',
  tool: 'call-as-text',
  scaffold: 'no-command',
};

interface Side {
  readonly name: string;
  readonly vendor: Vendor;
  readonly connect: (baseUrl: string, options: ClientOptions) => Promise<ModelClient>;
}

const member = { client: 'openai', model: 'm' } as const;
const preset = { name: 'test', sha256: '', plan: { panel: [member, member], judge: member, synthesizer: member } };
const sides: readonly Side[] = [
  { name: 'openai', vendor: 'openai', connect: (baseUrl, options) => connectOpenAi({ baseUrl, ...options }) },
  {
    name: 'openai, by the wire of OpenRouter',
    vendor: 'openrouter',
    connect: (baseUrl, options) => connectOpenAi({ baseUrl, ...options }),
  },
  { name: 'anthropic', vendor: 'anthropic', connect: (baseUrl, options) => connectAnthropic({ baseUrl, ...options }) },
  { name: 'fusion', vendor: 'openai', connect: (baseUrl, options) => connectFusion({ baseUrl, preset, ...options }) },
];

describe.each(sides)('client $name', (side) => {
  describe.each(loopNames)('loop %s', (name) => {
    test('ends as documented, whatever the server does', async () => {
      await using table = await lay(side, name);
      for (const [reply, code] of lasting) {
        table.script.always = reply;
        await expect(table.play()).rejects.toMatchObject({ code, boundary: 'model' });
      }
      expect(listActions(table.env)).toEqual([]);

      table.script.always = null;
      const passing: readonly WireReply[] = [
        { type: 'refusal', status: 429, headers: { 'retry-after': '7' } },
        { type: 'refusal', status: 500 },
        { type: 'cut', text: 'half of an answer that is never sent' },
        { type: 'wrong-json' },
      ];
      const turns = name === 'script' ? solving.script : [callAsText, ...solving[name]];
      table.script.queue.push(...passing, ...turns);
      const play = await table.play();
      expect(table.timer.slept).toContain(7_000);
      expect(play.truncatedBy).toBeNull();
      expect(play.turns.map((turn) => turn.format_failure)).toEqual([
        ...(name === 'script' ? [] : [failureOf[name]]),
        ...solving[name].map(() => null),
      ]);
      expect(listActions(table.env).map(({ type }) => type)).toEqual([
        name === 'script' ? 'script' : 'command',
        'done',
      ]);
      expect(await table.env.grade()).toMatchObject({ outcome: 'scored', reward: 1 });
    });
  });
});

/** What a server may do for good, and the error that the run masks the episode with. */
const lasting: readonly (readonly [WireReply, unknown])[] = [
  [{ type: 'refusal', status: 500 }, 'E_MODEL_REFUSED'],
  [{ type: 'wrong-json' }, 'E_MODEL_ANSWER'],
  [{ type: 'cut', text: 'half of an answer that is never sent' }, 'E_MODEL_UNREACHABLE'],
  [{ type: 'no-choice' }, 'E_MODEL_ANSWER'],
  [{ type: 'hang' }, 'E_MODEL_TIMEOUT'],
];

describe('a lone answer', () => {
  test.each([
    ['script', 'no-fence'],
    ['text', 'no-directive'],
    ['tool', 'call-as-text'],
  ] as const)('of a call as text is a format failure of loop %s, and the episode is graded', async (name, failure) => {
    await using table = await lay(sides[0]!, name);
    table.script.always = callAsText;
    const play = await table.play();
    expect(play.turns.map((turn) => turn.format_failure)).toEqual(
      Array.from({ length: name === 'script' ? 1 : task.limits.steps }, () => failure),
    );
    expect(await table.env.grade(play.truncatedBy ?? undefined)).toMatchObject({ outcome: 'scored', reward: 0 });
  });

  test.each(loopNames)('that does not fit the context ends loop %s as truncated, graded (BR-42)', async (name) => {
    await using table = await lay(sides[0]!, name);
    table.script.always = {
      type: 'refusal',
      status: 400,
      message: "This model's maximum context length is 2048 tokens. However, you requested 2089 tokens",
    };
    const play = await table.play();
    expect(play).toMatchObject({ truncatedBy: 'context', turns: [{ answer: null, format_failure: null }] });
    expect(table.timer.slept).toEqual([]);
    expect(await table.env.grade('context')).toMatchObject({ outcome: 'scored', reward: 0 });
    expect(table.env.summary().truncatedBy).toBe('context');
  });
});

test.each(['text', 'tool'] as const)('loop %s tells the model of an event, when it is pushed', async (name) => {
  const bell = makeEventTask({ kind: 'bell', level: 0, count: 1, seed: 0, arm: 'event' });
  await using table = await lay(sides[0]!, name, { task: bell, delivery: 'push' });
  const wait = 'sleep 60';
  const turns = {
    text: [says(`RUN: ${wait}`), says('DONE')],
    tool: [calls('command', { command: wait }), calls('done', {})],
  };
  table.script.always = null;
  table.script.queue.push(...turns[name]);
  const { turns: played } = await table.play();
  expect(played[1]?.messages.at(-1)?.content).toMatch(/\n\[event: bell in pane %\d+ \(.+\)\]$/);
});

/** A server, a client, a loop and a posed episode. */
async function lay(side: Side, name: LoopName, options: Pick<ResetOptions, 'task' | 'delivery'> = { task }) {
  const script: { queue: WireReply[]; always: WireReply | null } = { queue: [], always: says('hello') };
  const timer = new TestTimer();
  const server = await serveWire(side.vendor, (call) => {
    if (script.always?.type === 'hang') queueMicrotask(() => timer.expire());
    if (script.always !== null) return script.always;
    return isHelper(side, call) ? says('a candidate') : (script.queue.shift() ?? says('nothing more'));
  });
  const client = await side.connect(server.baseUrl, { model: 'm', timer, maxRetries: 4, requestTimeoutMs: 60_000 });
  const loop: Loop = createLoop(name, name === 'scaffold' ? { scaffold: `python3 ${agent}` } : {});
  const env = gym.createEnv();
  const { info } = await env.reset(options);
  const signal = new AbortController().signal;
  const seat: Seat = { env, task: options.task, prompt: info.prompt, sample: 0, signal };
  return {
    script,
    timer,
    env,
    play: () => loop.play(seat, client, { temperature: null, maxTokens: 64 }),
    [Symbol.asyncDispose]: async () => {
      await env.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Whether a request is for a model on the way to the answer, not for the one that writes it. */
function isHelper({ name }: Side, { body }: WireCall): boolean {
  return name === 'fusion' && !JSON.stringify(body['messages']).includes('Below are candidates');
}

function says(text: string): WireReply {
  return { type: 'answer', text };
}

function calls(name: string, value: object): WireReply {
  return { type: 'answer', calls: [{ name, arguments: JSON.stringify(value) }] };
}

function listActions(env: Env): readonly Action[] {
  return env.trace().flatMap((line) => (line.type === 'action' ? [line.action] : []));
}

function commandOf({ solutions }: Task): string {
  return solutions.oracle[0]!.actions.map((action) =>
    action.type === 'script' ? action.script : action.type === 'command' ? action.command : '',
  )
    .join('\n')
    .trim();
}
