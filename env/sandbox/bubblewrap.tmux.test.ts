import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../native/index.ts';
import { createSandboxFactory, type Sandbox, type SandboxFactories } from './index.ts';

let sandboxes: SandboxFactories;
let sandbox: Sandbox;
let neighbour: Sandbox;
beforeAll(async () => {
  sandboxes = await createSandboxFactory({ rung: 'bubblewrap', minRung: 'bubblewrap' });
  [sandbox, neighbour] = await Promise.all([sandboxes.factory.create(), sandboxes.factory.create()]);
});
afterAll(async () => {
  await sandbox?.close();
  await neighbour?.close();
  sandboxes?.close();
});

const runIn = async (where: Sandbox, command: string) => {
  const { code, output } = await where.launcher.run({ argv: ['bash', '-c', command], outputLimit: 65_536 }).exited;
  return { code, text: output.toString() };
};
const run = (command: string) => runIn(sandbox, command);
const python = (script: string) => run(`python3 - <<'EOF' 2>&1\n${script}\nEOF`);

const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
const nameOf = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
const bubblewraps = () => new Set(childrenOf(process.pid).filter((pid) => nameOf(pid) === 'bwrap'));

const ownerOf = (name: string): unknown => {
  const path = join(tmpdir(), name, 'owner.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).pid : null;
};

/** A sandbox of its own, with the outer pid of its bubblewrap. */
const createOwn = async () => {
  const before = bubblewraps();
  const own = await sandboxes.factory.create();
  const [pid] = [...bubblewraps()].filter((each) => !before.has(each));
  return { own, pid: pid! };
};

describe('what the agent sees', () => {
  test('is a clean environment', async () => {
    const { text } = await run('env -u _ -u SHLVL | sort');
    expect(text.trim().split('\n')).toEqual([
      'HOME=/home/agent',
      'LANG=C.UTF-8',
      'LC_ALL=C.UTF-8',
      'LOGNAME=agent',
      'PATH=/usr/local/bin:/usr/bin:/bin',
      'PWD=/home/agent',
      'REPORT=/home/agent/report.txt',
      'SHELL=/bin/bash',
      'SINK=/home/agent/sink',
      'TERM=xterm-256color',
      'TZ=UTC',
      'USER=agent',
    ]);
  });

  test('is an empty HOME, /tmp and /usr/local, and neither checkout nor Node', async () => {
    expect((await run('ls -A ~ /tmp /usr/local /dev/shm')).text).toBe(
      '/dev/shm:\n\n/home/agent:\n\n/tmp:\n\n/usr/local:\n',
    );
    expect(existsSync(packageRoot())).toBe(true);
    expect((await run(`ls -d ${packageRoot()}`)).code).toBe(2);
    const programs = `${process.execPath} node nodejs npm npx bwrap`;
    expect((await run(`for each in ${programs}; do $each --version && echo $each; done 2>/dev/null`)).text).toBe('');
    expect((await run('type -P bash tmux sleep timeout python3')).code).toBe(0);
  });

  test('is no path of the checkout, in any file of /proc that it can read', async () => {
    const { text } = await run('cat /proc/*/cmdline /proc/*/environ /proc/mounts /proc/self/mountinfo 2>/dev/null');
    expect(text).toMatch(/launcher/);
    expect(text).toContain('REPORT=/home/agent/report.txt');
    expect(text).not.toContain(packageRoot());
  });

  test('are its own processes only', async () => {
    const { text } = await run('ps -eo args --no-headers');
    expect(text.trim().split('\n')).toHaveLength(3);
    expect(text).not.toMatch(/node|vitest/);
    expect((await runIn(neighbour, 'sleep 1000 & echo $!')).code).toBe(0);
    expect((await run('pgrep -c sleep')).text).toBe('0\n');
    expect((await runIn(neighbour, 'pgrep -c sleep; pkill sleep')).text).toBe('1\n');
  });

  test('are no tmux sockets but its own', async () => {
    const socket = join(tmpdir(), `muxgym-outer-${process.pid}`);
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', 'new-session', '-d', '-s', 'outer', 'cat']);
    try {
      const attack = `for s in ${socket} /tmp/tmux-*/* /tmp/muxgym-*/*/*; do tmux -N -S $s kill-server; done`;
      await run(attack);
      await run(`tmux -f /dev/null new-session -d -s inner cat && ${attack}`);
      expect((await run('tmux list-sessions')).code).not.toBe(0);
      expect(
        execFileSync('tmux', ['-N', '-S', socket, 'list-sessions', '-F', '#{session_name}'], { encoding: 'utf8' }),
      ).toBe('outer\n');
    } finally {
      execFileSync('tmux', ['-N', '-S', socket, 'kill-server']);
      rmSync(socket, { force: true });
    }
  });
});

describe('the network', () => {
  test('cannot be reached, not even a listener on the loopback of the host; its own loopback can', async () => {
    let calls = 0;
    const listener = createServer((socket) => {
      calls++;
      socket.end('hello');
    });
    const port = await new Promise<number>((resolve) =>
      listener.listen(0, '127.0.0.1', () => resolve((listener.address() as { port: number }).port)),
    );
    const connect = (host: string, family = 'AF_INET') =>
      python(
        `import socket\ns = socket.socket(socket.${family}, socket.SOCK_STREAM)\ns.connect((${host}))\nprint(s.recv(9))`,
      );
    expect((await connect(`"127.0.0.1", ${port}`)).text).toMatch(/Connection refused|unreachable/);
    expect((await connect('"192.0.2.1", 80')).text).toMatch(/Network is unreachable/);
    expect((await connect('"2001:db8::1", 80', 'AF_INET6')).text).toMatch(/unreachable|Cannot assign/);
    expect(calls).toBe(0);
    const own =
      'import socket\na = socket.create_server(("127.0.0.1", 0))\nb = socket.create_connection(a.getsockname())\na.accept()[0].send(b"own")\nprint(b.recv(9))';
    expect((await python(own)).text).toBe("b'own'\n");
    await new Promise((resolve) => listener.close(resolve));
  });
});

describe('the kernel', () => {
  test.each([
    ['a user namespace', 'unshare -Ur true', 'true'],
    ['a network namespace', 'unshare -n true', 'true'],
    ['a mount', 'mount -t tmpfs none /tmp', 'mount'],
    ['an unmount', 'umount /home/agent', 'ls /home/agent'],
    ['another root', '/usr/sbin/chroot / true', 'true'],
  ])('refuses %s', async (_, attack, honest) => {
    expect((await run(attack)).code).not.toBe(0);
    expect((await run(honest)).code).toBe(0);
  });

  test('refuses what opens other ways out, and answers an honest call', async () => {
    const calls =
      'unshare=272 setns=308 mount=165 ptrace=101 bpf=321 io_uring_setup=425 userfaultfd=323 keyctl=250 perf_event_open=298 process_vm_readv=310 pidfd_getfd=438 kcmp=312';
    if (process.arch !== 'x64') return;
    const script = `import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nfor pair in "${calls} getpid=39".split():\n  name, number = pair.split("=")\n  result = libc.syscall(int(number), 0, 0, 0, 0, 0, 0)\n  print(name, os.strerror(ctypes.get_errno()) if result < 0 else "allowed")`;
    const lines = (await python(script)).text.trim().split('\n');
    expect(lines.slice(0, -1).filter((line) => !line.endsWith('Operation not permitted'))).toEqual([]);
    expect(lines.at(-1)).toBe('getpid allowed');
  });

  test('lets nobody look into the launcher or the init, nor end the init', async () => {
    const files = '/proc/1/environ /proc/2/environ /proc/1/mem /proc/2/mem /proc/1/fd/0 /proc/2/fd/0';
    expect((await run(`for file in ${files}; do head -c 1 $file >/dev/null 2>&1 && echo $file; done`)).text).toBe('');
    expect((await run('head -c 1 /proc/self/environ')).text).toHaveLength(1);
    await run('kill -9 1');
    expect((await run('echo alive')).text).toBe('alive\n');
  });

  test('gives no right that a setuid program could bring', async () => {
    expect((await run('grep -E "^(NoNewPrivs|Cap(Eff|Prm|Bnd|Amb)):" /proc/self/status')).text).toMatch(
      /CapPrm:\t0+\nCapEff:\t0+\n[\s\S]*NoNewPrivs:\t1\n/,
    );
    expect((await run('su -c id 2>&1; cat /etc/shadow 2>&1')).text).not.toMatch(/uid=0/);
  });
});

describe('the file system', () => {
  test('keeps its programs, and what stands beside them', async () => {
    const before = await run('cat /usr/bin/bash /usr/bin/sleep /opt/worker | sha256sum');
    const targets =
      '/usr/bin/tmux /usr/bin/bash /usr/bin/sleep /usr/local/bin/tmux /opt/worker /etc/passwd /etc/new /new /dev/new';
    const attack = `for file in ${targets}; do cp /bin/true $file; ln -sf /bin/true $file; mv $file $file.old; rm -f $file; done`;
    await run(attack);
    expect(await run('cat /usr/bin/bash /usr/bin/sleep /opt/worker | sha256sum')).toEqual(before);
    expect((await run('tmux -V')).text).toBe(`tmux ${sandboxes.tmuxVersion}\n`);
    expect((await run('echo own > ~/own; cp /bin/true ~/true; ~/true && cat ~/own')).text).toBe('own\n');
  });

  test('does not let the server program be read', async () => {
    const { code } = await run('cat /usr/bin/tmux > ~/copy');
    expect(code).not.toBe(0);
  });

  test.each(['/home/agent', '/tmp', '/dev/shm'])('bounds %s, and gives the room back', async (folder) => {
    const fill = `for i in 1 2 3; do head -c 40M /dev/zero > ${folder}/fill$i; done; du -sm ${folder} | cut -f1; rm ${folder}/fill*`;
    const { text } = await run(`(${fill}) 2>/dev/null`);
    expect(Number(text)).toBeLessThanOrEqual(65);
    expect(Number(text)).toBeGreaterThan(39);
    expect((await run(`echo ok > ${folder}/small && cat ${folder}/small && rm ${folder}/small`)).text).toBe('ok\n');
  });

  // In a user namespace the kernel does not let them be bounded.
  test.runIf(process.getuid?.() === 0)(
    'bounds the number of files, and leaves size and mount as they were',
    async () => {
      const many = 'mkdir /tmp/many && cd /tmp/many && seq 20000 | xargs touch; ls | wc -l; cd; rm -r /tmp/many';
      const { text } = await run(`(${many}) 2>&1 | grep -v "^touch: cannot touch"; echo ok > ~/after; cat ~/after`);
      expect(text).toMatch(/^1[56]\d{3}\nok\n$/);
      expect((await run('grep -E " (/tmp|/home/agent|/dev/shm) " /proc/mounts')).text).toMatch(
        /^(tmpfs \S+ tmpfs rw,nosuid,nodev,.*size=65536k,nr_inodes=16384.*\n){3}$/,
      );
    },
  );

  test('bounds one file', async () => {
    expect((await run('truncate -s 1T ~/sparse; echo $?; stat -c %s ~/sparse; rm -f ~/sparse')).text).toMatch(
      /^1[0-9]{2}\n0\n$/m,
    );
  });
});

describe('limits', () => {
  test('hold a fork bomb, while the host and a neighbour go on', async () => {
    const { own } = await createOwn();
    const bomb = own.launcher.run({
      argv: ['bash', '-c', 'bomb() { bomb | bomb & }; bomb 2>/dev/null; tail -f /dev/null'],
    });
    await bomb.started;
    await expect.poll(() => own.processes.pids().length, { timeout: 20_000 }).toBeGreaterThan(100);
    expect((await runIn(neighbour, 'echo $(seq 5)')).text).toBe('1 2 3 4 5\n');
    expect(execFileSync('echo', ['host'], { encoding: 'utf8' })).toBe('host\n');
    expect(own.processes.pids().length).toBeLessThanOrEqual(514);
    const started = performance.now();
    await own.close();
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('refuse 8 GiB, and give 256 MiB', async () => {
    expect((await python('bytearray(8 << 30)')).text).toMatch(/MemoryError/);
    expect((await python('print(len(bytearray(256 << 20)))')).text).toBe('268435456\n');
  });

  test('bound the terminals, so that one sandbox cannot take those of the machine', async () => {
    const forks =
      'import os, signal\nfor _ in range(8):\n  if os.fork() == 0:\n    try:\n      while True: os.openpty()\n    except OSError as error: print(error, flush=True)\n    signal.pause()\nsignal.pause()';
    const greedy = sandbox.launcher.run({ argv: ['python3', '-c', forks] });
    await expect
      .poll(() => greedy.output().toString().split('No space left on device').length, { timeout: 20_000 })
      .toBe(9);
    const count = 'import os\nprint(len([os.openpty() for _ in range(30)]))';
    expect(execFileSync('python3', ['-c', count], { encoding: 'utf8' })).toBe('30\n');
    expect((await runIn(neighbour, `python3 -c '${count}'`)).text).toBe('30\n');
    greedy.kill();
    await greedy.exited;
    expect((await run(`python3 -c '${count}'`)).text).toBe('30\n');
  });

  test('bound the open files of a process', async () => {
    expect((await python('import os\nfiles = []\nwhile True: files.append(os.dup(0))')).text).toMatch(
      /Too many open files/,
    );
  });
});

describe('the end', () => {
  test('is "inside", when the launcher was killed from inside', async () => {
    const own = await sandboxes.factory.create();
    own.launcher.run({ argv: ['bash', '-c', 'kill -9 -1; kill -9 2'] });
    expect(await own.ended).toMatchObject({ type: 'inside' });
    await own.close();
  });

  test('is "outside", when bubblewrap was killed', async () => {
    const { own, pid } = await createOwn();
    process.kill(pid, 'SIGKILL');
    expect(await own.ended).toMatchObject({ type: 'outside' });
    await own.close();
  });

  test('takes everything with it: processes that left their session, descriptors and the folder', async () => {
    const state = readdirSync(tmpdir()).find((name) => name.startsWith('muxgym-u') && ownerOf(name) === process.pid);
    const worlds = () => readdirSync(join(tmpdir(), state!)).sort();
    const before = { worlds: worlds(), bubblewraps: bubblewraps().size };
    const files = readdirSync('/proc/self/fd').length;
    const { own, pid } = await createOwn();
    const marker = `marker-${process.pid}`;
    await runIn(
      own,
      `(setsid bash -c 'exec -a ${marker} tail -f /dev/null' & disown) ; tmux -f /dev/null new-session -d cat`,
    );
    const outer = () =>
      readdirSync('/proc').filter((name) => {
        if (!/^\d+$/.test(name)) return false;
        try {
          return readFileSync(`/proc/${name}/cmdline`, 'utf8').startsWith(marker);
        } catch {
          return false; // it ended meanwhile
        }
      });
    await expect.poll(outer).toHaveLength(1);
    expect(statSync(`/proc/${pid}`).isDirectory()).toBe(true);
    await own.close();
    await own.close();
    expect(outer()).toEqual([]);
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect({ worlds: worlds(), bubblewraps: bubblewraps().size }).toEqual(before);
    await expect.poll(() => readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(files);
  });

  test('leaves HOME readable after kill(), until close()', async () => {
    const own = await sandboxes.factory.create();
    await runIn(own, 'echo kept > report.txt');
    await own.kill();
    expect(readFileSync(`${own.home}/report.txt`, 'utf8')).toBe('kept\n');
    expect(own.processes.pids()).toEqual([]);
    await own.close();
  });
});
