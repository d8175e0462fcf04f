import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Command } from 'commander';
import { type Action, actionSchema, createGym, type Env, InputError, type Observation } from '../env/index.ts';
import { readTasks } from '../generator/index.ts';
import { progress, runCommand } from './output.ts';

export function superviseCommand(): Command {
  return new Command('supervise')
    .description('Holds one episode for the program mux, inside the container of an exported Harbor task')
    .requiredOption('--task <file>', 'a file with one task')
    .option('--run <folder>', 'where its sockets are', '/run/muxgym')
    .action(
      runCommand(async ({ task: file, run }: { readonly task: string; readonly run: string }) => {
        const [task] = readTasks(file);
        if (task === undefined) throw taskError(file);
        mkdirSync(run, { recursive: true });
        await using gym = await createGym();
        await using env = gym.createEnv();
        await env.reset({ task });
        const episode = new Episode(env);
        const servers = [
          await listen(join(run, 'act.sock'), 0o666, (request) => episode.act(request)),
          await listen(join(run, 'grade.sock'), 0o600, async () => await env.grade()),
        ];
        progress(`supervise: ${task.id} is ready in ${run}`);
        await new Promise<void>((resolve) => process.once('SIGTERM', resolve));
        for (const server of servers) server.close();
      }),
    );
}

function taskError(file: string): InputError {
  const facts = { code: 'E_TASK', what: 'Cannot supervise', where: file, expected: 'one task', found: 'none' };
  return new InputError(facts);
}

const nothing: Observation = { text: '', exitCode: null, cutBytes: 0 };

/** Actions in the order of asking, one at a time. */
class Episode {
  readonly #env: Env;
  #last: Promise<unknown> = Promise.resolve();
  #over = false;

  constructor(env: Env) {
    this.#env = env;
  }

  async act(request: unknown): Promise<{ readonly observation: Observation; readonly over: boolean }> {
    if ((request as { readonly type?: unknown }).type === 'health') return { observation: nothing, over: this.#over };
    const action = actionSchema.safeParse(request);
    if (!action.success)
      throw new InputError({ code: 'E_ACTION', what: 'Cannot take an action', found: action.error.message });
    const step = this.#last.then(() => this.#take(action.data));
    this.#last = step.catch(() => undefined);
    return await step;
  }

  async #take(action: Action) {
    const { observation, terminated, truncated } = await this.#env.step(action);
    this.#over = terminated || truncated !== false;
    return { observation, over: this.#over };
  }
}

/** One line of JSON in, one out, on a socket that only those may use whom its mode lets. */
async function listen(path: string, mode: number, answer: (request: unknown) => Promise<unknown>): Promise<Server> {
  rmSync(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => void converse(socket, answer));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  chmodSync(path, mode);
  return server;
}

async function converse(socket: Socket, answer: (request: unknown) => Promise<unknown>): Promise<void> {
  socket.on('error', () => undefined); // the caller went away; the world goes on
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'end'); // an iteration over the socket would close it before the answer
  socket.end(`${JSON.stringify(await respond(text, answer))}\n`);
}

async function respond(text: string, answer: (request: unknown) => Promise<unknown>): Promise<unknown> {
  try {
    return await answer(JSON.parse(text));
  } catch (error) {
    if (error instanceof InputError || error instanceof SyntaxError) {
      return { error: { code: error instanceof InputError ? error.code : 'E_JSON', message: error.message } };
    }
    throw error;
  }
}
