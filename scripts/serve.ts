import { Command, Option } from 'commander';
import { createGym, type Gym, InputError, type Rung, type RunKey, rungs } from '../env/index.ts';
import { generatorVersion, makeTask } from '../generator/index.ts';
import { BridgeServer, loadCeiling, readCurveKeys, resolveRunKey, type TlsFiles } from '../trainer-bridge/index.ts';
import { packageVersion } from './checkout.ts';
import { interruptSignal, printJson, printLine, progress, runCommand } from './output.ts';
import { parseKeyFlag } from './run-key.ts';

interface ServeOptions {
  readonly bind: string;
  readonly grpc?: string;
  readonly metrics?: string;
  readonly pool: number;
  readonly split?: string;
  readonly run?: string;
  readonly key?: string;
  readonly minRung: Rung;
  readonly maxEpisodes: number;
  readonly drain: number;
  readonly curveKeys?: string;
  readonly allow?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsCa?: string;
  readonly json?: true;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Serves episodes to trainers until SIGTERM, then drains')
    .option(
      '--bind <address>',
      'ZeroMQ: tcp://HOST:PORT or ipc://PATH; port 0 picks a free one',
      'tcp://127.0.0.1:5755',
    )
    .option('--grpc <host:port>', 'serve gRPC too, such as 127.0.0.1:5756 (default: not served)')
    .option('--metrics <host:port>', 'Prometheus metrics, such as 127.0.0.1:9464 (default: not served)')
    .option('--split <file:name>', 'serve nothing outside of this split, such as cliff:train (default: everything)')
    .option('--run <folder>', 'record every graded episode in this folder (default: not recorded)')
    .option('--pool <count>', 'blank worlds kept ready', wholeNumber('--pool', 0), 0)
    .option('--max-episodes <count>', 'episodes that clients may have at once', wholeNumber('--max-episodes', 1), 256)
    .option('--key <hex>', 'run key, 64 hex digits (default: a new one)')
    .addOption(
      new Option('--min-rung <rung>', 'refuse to serve below this rung; bare is no place to train')
        .choices(rungs)
        .default('uid'),
    )
    .option('--drain <seconds>', 'how long running episodes may finish after SIGTERM', wholeNumber('--drain', 0), 10)
    .option('--curve-keys <file>', 'CURVE certificate with the secret key; needed for ZeroMQ beyond loopback')
    .option('--allow <file>', 'public keys of the clients that CURVE lets in, one a line')
    .option('--tls-cert <file>', 'PEM certificate chain; needed for gRPC beyond loopback')
    .option('--tls-key <file>', 'PEM private key')
    .option('--tls-ca <file>', 'PEM; clients must show a certificate that it signed')
    .option('--json', 'print the ready line as JSON')
    .action(runCommand(serve));
}

async function serve(options: ServeOptions): Promise<void> {
  const stopped = waitForStop();
  const ceiling = options.split === undefined ? null : loadCeiling(options.split);
  const curve = readCurve(options);
  const tls = readTls(options);
  await using gym = await createGym({
    poolSize: options.pool,
    minRung: options.minRung,
    ...readKey(options),
  });
  await using server = await BridgeServer.start({
    ...{ gym, ceiling, curve, tls },
    findTask: makeTask,
    versions: { version: packageVersion(), generator: generatorVersion },
    zeromq: options.bind,
    grpc: options.grpc ?? null,
    metrics: options.metrics ?? null,
    runFolder: options.run ?? null,
    limits: { maxEpisodes: options.maxEpisodes },
    onFailure: (what, error) => progress(`failed: ${what}: ${error instanceof Error ? error.message : String(error)}`),
  });
  announce(server, gym, options);
  progress(`${await stopped}: draining for at most ${options.drain} s`);
  await server.drain(options.drain * 1_000);
}

function readKey({ key, run }: ServeOptions): { readonly runKey?: RunKey } {
  const given = key === undefined ? null : parseKeyFlag(key);
  if (run !== undefined) return { runKey: resolveRunKey(run, given) };
  return given === null ? {} : { runKey: given };
}

/** The one line on stdout that says that clients may connect, and where. */
function announce(server: BridgeServer, gym: Gym, options: ServeOptions): void {
  const ready = { ready: true, ...server.addresses, split: options.split ?? null, rung: gym.rung };
  if (options.json === true) {
    printJson(ready);
    return;
  }
  const { zeromq, grpc, metrics } = server.addresses;
  const others = [grpc === null ? [] : [`gRPC ${grpc}`], metrics === null ? [] : [`metrics ${metrics}`]].flat();
  const held = options.split === undefined ? 'every task' : `split ${options.split}`;
  printLine(`ready: ${[`ZeroMQ ${zeromq}`, ...others].join(', ')}; ${held}; rung ${gym.rung}`);
}

/** Resolves with the signal's name; a second SIGTERM ends the process at once, as a second SIGINT does. */
function waitForStop(): Promise<string> {
  return new Promise((resolve) => {
    const interrupt = interruptSignal();
    interrupt.addEventListener('abort', () => resolve('SIGINT'), { once: true });
    process.once('SIGTERM', () => {
      process.once('SIGTERM', () => process.exit(143));
      resolve('SIGTERM');
    });
  });
}

function readCurve({ curveKeys, allow }: ServeOptions) {
  if (curveKeys === undefined && allow === undefined) return null;
  if (curveKeys === undefined || allow === undefined) throw halfPair('--curve-keys FILE', '--allow FILE');
  return readCurveKeys(curveKeys, allow);
}

function readTls({ tlsCert, tlsKey, tlsCa }: ServeOptions): TlsFiles | null {
  if (tlsCert === undefined && tlsKey === undefined && tlsCa === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined) throw halfPair('--tls-cert FILE', '--tls-key FILE');
  return { certificate: tlsCert, key: tlsKey, ca: tlsCa ?? null };
}

function halfPair(first: string, second: string): InputError {
  const expected = `both ${first} and ${second}`;
  return new InputError({ code: 'E_USAGE', what: 'Cannot use one flag without the other', expected, found: 'one' });
}

function wholeNumber(flag: string, least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= 1_000_000) return value;
    throw new InputError({
      code: 'E_USAGE',
      what: 'Cannot read a number',
      where: flag,
      expected: `a whole number from ${least} to 1000000`,
      found: JSON.stringify(text),
    });
  };
}
