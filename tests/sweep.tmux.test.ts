import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGym, type Gym, packageRoot } from '../env/index.ts';
import { makeTask, runSolution } from '../generator/index.ts';
import { type RolloutRecord, readRecords } from '../rollout/index.ts';

/** Episodes that must be finished when the kill comes; 50 more are to be played then. */
const finished = Number(process.env['MUXGYM_SWEEP_EPISODES'] ?? 40);
const seeds = Math.ceil((finished + 50) / 2);
const all = 2 * seeds;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-sweep-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const run = () => join(folder, 'run');
const episodesFile = () => join(run(), 'episodes.jsonl');
const readLines = () =>
  existsSync(episodesFile()) ? readFileSync(episodesFile(), 'utf8').split('\n').slice(0, -1) : [];
/** One an episode; a kill may tear the last line. */
const records = () => readRecords(episodesFile(), () => undefined);

/** `muxgym eval` in a process of its own, below a TMPDIR of its own: what it leaves cannot be mistaken. */
const startEval = (temporary: string) => {
  const tasks = ['--depths', 'D0,D4', '--ops', '1', '--seeds', `0-${seeds - 1}`];
  const program = ['--import', 'tsx', join(packageRoot(), 'scripts', 'muxgym.ts'), 'eval', '--policy', 'oracle'];
  return execa(process.execPath, [...program, ...tasks, '--rung', 'bubblewrap', '--out', run(), '--json'], {
    cwd: packageRoot(),
    env: { TMPDIR: temporary },
    reject: false,
  });
};

const waitForEpisodes = (count: number) =>
  vi.waitFor(() => expect(readLines().length).toBeGreaterThanOrEqual(count), { timeout: 300_000, interval: 5 });

const isSpoilt = ({ attempt, passed }: RolloutRecord) => attempt > 0 || !passed;

/** Starts a gym below `temporary`, which sweeps, and ends it; gives the state folders that there were meanwhile. */
const statesAfterStart = async (temporary: string) => {
  vi.stubEnv('TMPDIR', temporary);
  const gym = await createGym({ rung: 'bubblewrap' });
  const states = statesIn(temporary);
  await gym.close();
  vi.unstubAllEnvs();
  return states;
};

const statesIn = (temporary: string) => readdirSync(temporary).filter((name) => name.startsWith('muxgym-u'));

interface Process {
  readonly pid: string;
  readonly parent: string;
  /** Pid and start time. */
  readonly key: string;
}

const readProcesses = (): readonly Process[] =>
  readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const stat = orElse('', () => readFileSync(`/proc/${pid}/stat`, 'utf8'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, startTime] = [fields[0], fields[1], fields[19]];
    if (state === 'Z' || parent === undefined || startTime === undefined) return [];
    return [{ pid, parent, key: `${pid}/${startTime}` }];
  });

/** A gym's process and all below it: bubblewrap, launchers, tmux servers, panes. */
const treeOf = (gymPid: number): readonly Process[] => {
  const processes = readProcesses();
  const tree = new Set([String(gymPid)]);
  for (let before = 0; before < tree.size; ) {
    before = tree.size;
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid);
  }
  return processes.filter(({ pid }) => tree.has(pid));
};

/** Sandboxes that lost their parent: also one that was only about to start when its gym was killed. */
const orphans = (): readonly string[] =>
  readProcesses()
    .filter(
      ({ pid, parent }) => parent === '1' && orElse('', () => readFileSync(`/proc/${pid}/comm`, 'utf8')) === 'bwrap\n',
    )
    .map(({ key }) => key);

/** Inodes of the sockets that a process holds, of any family, where this user may see them. */
const socketsOf = ({ pid }: Process): readonly string[] =>
  orElse([], () => readdirSync(`/proc/${pid}/fd`)).flatMap((fd) => {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(orElse('', () => readlinkSync(`/proc/${pid}/fd/${fd}`))) ?? [];
    return inode === undefined ? [] : [inode];
  });

const openSockets = () =>
  new Set(
    ['tcp', 'tcp6', 'udp', 'udp6', 'unix'].flatMap((family) =>
      readFileSync(`/proc/net/${family}`, 'utf8').split(/\s+/),
    ),
  );

/** Processes end while they are looked at. */
const orElse = <Value>(missing: Value, look: () => Value): Value => {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES'].includes(String(error.code)))
      return missing;
    throw error;
  }
};

const scoreOf = async (gym: Gym) => {
  await using env = gym.createEnv();
  const task = makeTask('cliff-d4-n1-s7');
  return await runSolution(env, task, task.solutions.oracle[0]!);
};

test('a gym that was killed leaves nothing once another starts, and loses no finished episode', async () => {
  const temporary = mkdtempSync(join(folder, 'tmp-'));
  const earlier = new Set(orphans());
  const child = startEval(temporary);
  await waitForEpisodes(finished / 2);
  // A start beside a living gym, which is at work: its episodes must not notice.
  expect(await statesAfterStart(temporary)).toHaveLength(2);
  await waitForEpisodes(finished);
  const tree = treeOf(child.pid!);
  const keys = new Set(tree.map(({ key }) => key));
  const sockets = tree.flatMap(socketsOf);
  expect(keys.size).toBeGreaterThan(4);
  expect(sockets.length).toBeGreaterThan(0);
  child.kill('SIGKILL');
  expect((await child).signal).toBe('SIGKILL');
  const before = readLines();
  expect((await records()).filter(isSpoilt)).toEqual([]);
  expect(before.length).toBeLessThan(all);
  expect(statesIn(temporary)).toHaveLength(1);

  expect(await statesAfterStart(temporary)).toHaveLength(1);
  expect(readdirSync(temporary).filter((name) => name.startsWith('muxgym'))).toEqual([]);
  await expect.poll(() => readProcesses().filter(({ key }) => keys.has(key)), { timeout: 10_000 }).toEqual([]);
  await expect.poll(() => orphans().filter((key) => !earlier.has(key)), { timeout: 10_000 }).toEqual([]);
  await expect.poll(() => sockets.filter((inode) => openSockets().has(inode)), { timeout: 10_000 }).toEqual([]);

  const again = await startEval(temporary);
  expect(JSON.parse(again.stdout)).toMatchObject({ totals: { episodes: all, passed: all, masked: 0 } });
  expect(readLines().slice(0, before.length)).toEqual(before);
  expect(await records()).toHaveLength(all);
  expect(readLines()).toHaveLength(all);
  expect(readdirSync(temporary).filter((name) => name.startsWith('muxgym'))).toEqual([]);
}, 600_000);

test('a living gym is not touched, when another one starts and sweeps', async () => {
  const living = await createGym({ rung: 'bubblewrap', poolSize: 1 });
  try {
    await using env = living.createEnv();
    const task = makeTask('cliff-d4-n2-s7');
    const [action] = task.solutions.oracle[0]!.actions;
    await env.reset({ task });
    await env.step({ type: 'command', command: 'sleep 100 & echo kept > kept' });
    const other = await createGym({ rung: 'bubblewrap' });
    expect(await scoreOf(other)).toMatchObject({ outcome: 'scored', reward: 1 });
    await other.close();
    const { observation } = await env.step({ type: 'command', command: 'cat kept; pgrep -c sleep' });
    expect(observation.text).toBe('kept\n1\n');
    await env.step(action!);
    expect(await env.grade()).toMatchObject({ outcome: 'scored', reward: 1, passed: true });
    expect(await scoreOf(living)).toMatchObject({ outcome: 'scored', reward: 1 });
  } finally {
    await living.close();
  }
});
