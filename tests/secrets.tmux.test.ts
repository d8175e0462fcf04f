import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGym, type Env, type Gym, hashTask, makeSecrets, type Task } from '../env/index.ts';
import { makeTask } from '../generator/index.ts';
import { makeHostileScan, type Source } from './hostile-scan.ts';

let gym: Gym;
beforeAll(async () => {
  gym = await createGym();
});
afterAll(() => gym.close());

/** A task whose observations have room for all that a scan finds. */
const roomy = (id: string): Task => {
  const task = makeTask(id);
  return { ...task, limits: { ...task.limits, observationBytes: 65_536 } };
};

const begin = async (env: Env, id: string) => {
  const task = roomy(id);
  await env.reset({ task });
  return { task, secrets: makeSecrets(gym.runKey, hashTask(task), 0, task.slots) };
};

const act = async (env: Env, script: string) => {
  const { observation } = await env.step({ type: 'script', script });
  expect(observation).toMatchObject({ cutBytes: 0 });
  return observation.text;
};

const scan = (env: Env, sources: readonly Source[]) => act(env, makeHostileScan({ sources }));

const found = (text: string, secrets: readonly string[]) => secrets.filter((secret) => text.includes(secret)).length;

const places: readonly { readonly depth: number; readonly elsewhere: readonly Source[]; readonly own: Source }[] = [
  { depth: 0, elsewhere: ['options', 'screens'], own: 'home' },
  { depth: 1, elsewhere: ['home', 'screens'], own: 'options' },
  { depth: 2, elsewhere: ['home', 'options'], own: 'screens' },
  { depth: 3, elsewhere: ['home', 'options'], own: 'screens' },
];

for (const { depth, elsewhere, own } of places) {
  test(`a scan finds every token in ${own} and none elsewhere, when the depth is D${depth}`, async () => {
    await using env = gym.createEnv();
    const { secrets } = await begin(env, `cliff-d${depth}-n3-s1`);
    expect(found(await scan(env, elsewhere), secrets)).toBe(0);
    expect(found(await scan(env, [own]), secrets)).toBe(secrets.length);
  });
}

test('a scan finds no token anywhere before the respawn and all after it, when the depth is D4', async () => {
  await using env = gym.createEnv();
  const { secrets } = await begin(env, 'cliff-d4-n3-s1');
  expect(found(await scan(env, ['home', 'options', 'screens']), secrets)).toBe(0);
  await act(
    env,
    'for pane in $(tmux list-panes -s -t main -F "#{pane_id}"); do tmux respawn-pane -t $pane; done; sleep 1',
  );
  expect(found(await scan(env, ['home', 'options']), secrets)).toBe(0);
  expect(found(await scan(env, ['screens']), secrets)).toBe(3);
});

test('a worker prints nothing, when its start command is run by hand or in a window of the agent', async () => {
  await using env = gym.createEnv();
  const { secrets } = await begin(env, 'cliff-d4-n2-s1');
  const text = await act(
    env,
    [
      "command=$(tmux list-panes -s -t main -F '#{pane_start_command}' | grep worker | head -1 | tr -d '\"')",
      'echo "command: $command"',
      'tmux new-window -d -n mine "$command"',
      'tmux new-window -d -n mine2 $command',
      'tmux new-session -d -s other $command',
      'timeout 3 script -qec "$command" /dev/null',
      'timeout 3 $command',
      'sleep 2',
      makeHostileScan({ sources: ['home', 'options', 'screens'] }),
    ].join('\n'),
  );
  expect(text).toContain('command: /opt/worker ');
  expect(found(text, secrets)).toBe(0);
});

const plants: Record<string, (token: string) => string> = {
  'a file': (token) => `echo ${token} > /tmp/.cache`,
  'an environment variable': (token) => `(TOKEN=${token} exec perl -e 'sleep' >/dev/null 2>&1 &)`,
  'a command line': (token) => `(perl -e 'sleep' ${token} >/dev/null 2>&1 &)`,
  'the memory of a process': (token) =>
    `(perl -e 'my $t = join "", split /-/, "${token.split('').join('-')}"; sleep' >/dev/null 2>&1 &)`,
  "tmux's environment": (token) => `tmux set-environment -g TOKEN ${token}`,
  'a hidden variable': (token) => `tmux set-environment -h -t main TOKEN ${token}`,
  'a start command': (token) => `tmux new-window -d 'perl -e sleep ${token}'`,
  'a paste buffer': (token) => `tmux set-buffer ${token}`,
  'a hook': (token) => `tmux set-hook -g pane-died 'display-message ${token}'`,
  'a window option': (token) => `tmux set-option -w -t main:shell @x ${token}`,
  'a FIFO': (token) => `mkfifo /tmp/f; (exec 3<> /tmp/f; echo ${token} >&3; exec perl -e 'sleep' >/dev/null 2>&1 &)`,
  'a screen': (token) => `tmux new-window -d 'echo ${token}; exec perl -e sleep'; sleep 0.2`,
  // The last one: the log holds every command before it, and is emptied so that each place is found by itself.
  'the message log': (token) =>
    `tmux set-option -s message-limit 0; tmux set-option -s message-limit 1000; tmux display-message ${token}`,
};

test('a scan finds a token that was planted, whichever place it hides in', async () => {
  await using env = gym.createEnv();
  await begin(env, 'cliff-d1-n1-s1');
  const planted = Object.entries(plants).map(([place, plant], index) => {
    const token = (0xc0ffee00 + index).toString(16);
    return { place, token, script: plant(token) };
  });
  await act(env, planted.map(({ script }) => script).join('\n'));
  const text = await scan(env, ['home', 'options', 'screens']);
  expect(planted.filter(({ token }) => !text.includes(token)).map(({ place }) => place)).toEqual([]);
});
