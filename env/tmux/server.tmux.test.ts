import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BoundaryError } from '../errors.ts';
import { createSandboxFactory, type Sandbox, type SandboxFactories } from '../sandbox/index.ts';
import { DebugLog, TmuxServer } from './index.ts';

let sandboxes: SandboxFactories;
let sandbox: Sandbox;
let server: TmuxServer;

beforeAll(async () => {
  sandboxes = await createSandboxFactory({ rung: 'bubblewrap', minRung: 'bubblewrap' });
  sandbox = await sandboxes.factory.create();
  server = await TmuxServer.start(sandbox);
});
afterAll(async () => {
  await sandbox?.close();
  sandboxes?.close();
});

const agent = async (command: string): Promise<string> =>
  (await sandbox.launcher.run({ argv: ['bash', '-c', command] }).exited).output.toString();

// BR-04: texts of the set-up that end in a semicolon, among others.
describe('TmuxServer.run()', () => {
  test.each([
    'a;',
    ';',
    'ls\\;',
    "it's",
    "'",
    '"$HOME" `id` $(id)',
    '#{pid} #(id) #[fg=red]',
    'naïve ✓ 日本 🙂',
    'two\nlines\n',
    'tab\there',
    ' leading and trailing ',
    '-t',
    '\\',
    '%if 1',
    '~ {a} [b] # comment',
    '',
  ])('hands the argument %j to tmux unchanged', async (text) => {
    await server.run([['set-option', '-g', '--', '@text', text]]);
    expect(await agent('tmux show-options -gv @text')).toBe(`${text}\n`);
  });

  // BR-06: a text of the set-up that is too long for the arguments of tmux.
  test('hands over an argument of 17,000 bytes, which a tmux client refuses in its own arguments', async () => {
    const long = '✓'.repeat(5_667);
    expect(Buffer.byteLength(long)).toBeGreaterThan(17_000);
    await server.run([['set-option', '-g', '@long', long]]);
    expect(await agent('tmux show-options -gv @long')).toBe(`${long}\n`);
    expect(await agent(`tmux set-option -g @long "$(head -c 17000 /dev/zero | tr '\\0' x)"`)).toMatch(/too long/);
  });

  test('runs commands in order, when there are many', async () => {
    const commands = Array.from({ length: 200 }, (_, index) => ['set-option', '-ga', '@many', `${index},`]);
    const text = await server.run([...commands, ['show-options', '-gv', '@many']]);
    expect(text.trim()).toBe(commands.map((_, index) => `${index},`).join(''));
  });

  test('throws a BoundaryError that quotes tmux, when a command fails', async () => {
    const failing = server.run([['select-window', '-t', '=main:=nothing']]);
    await expect(failing).rejects.toThrow(BoundaryError);
    await expect(failing).rejects.toThrow(/can't find window/);
  });
});

describe('TmuxServer.listPanes()', () => {
  test('names the first window, and a new one', async () => {
    const first = await server.listPanes();
    expect(first).toMatchObject([{ session: '$0', index: 0, window: '@0', pane: '%0', dead: false }]);
    await server.run([['new-window', '-d', '-t', '=main:', '-n', 'more', 'sleep', '99']]);
    expect((await server.listPanes()).map(({ start }) => start)).toEqual([first[0]?.start, 'sleep 99']);
  });
});

describe('DebugLog', () => {
  test('shows a respawn, leaves no file to the agent, and says when it was closed', async () => {
    const log = await DebugLog.open(sandbox, server, await server.listPanes());
    try {
      expect(await agent(`ls -A ${sandbox.serverFolderInside}; touch ${sandbox.serverFolderInside}/x`)).toMatch(
        /Permission denied|Read-only/,
      );
      await agent('tmux new-window -d -n w cat; tmux respawn-pane -k -t w /bin/cat -');
      expect(log.read().filter(({ type }) => type === 'respawn')).toMatchObject([{ argv: ['/bin/cat', '-'] }]);
      expect(log.read()).toEqual([]);
      await agent(`kill -USR2 ${server.pid}; tmux list-sessions`);
      expect(log.read()).toContainEqual(expect.objectContaining({ type: 'closed' }));
    } finally {
      log.close();
    }
  });
});

describe('TmuxServer.start()', () => {
  test('throws a BoundaryError, when a server is there already', async () => {
    await expect(TmuxServer.start(sandbox)).rejects.toThrow(/duplicate session/);
  });
});
