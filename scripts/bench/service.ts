import { execa } from 'execa';
import { z } from 'zod';
import { createGym } from '../../env/index.ts';
import { generatorVersion, makeTask } from '../../generator/index.ts';
import { BridgeServer } from '../../trainer-bridge/index.ts';
import { checkoutRoot, packageVersion, venvProgram } from '../checkout.ts';
import { type Figure, makeFigure } from './figure.ts';
import type { BenchPlan } from './plan.ts';

const wireReport = z.object({
  step_ms: z.array(z.number()),
  steps_per_s: z.array(z.number()),
  score_64_s: z.array(z.number()),
});
type WireReport = Readonly<z.infer<typeof wireReport>>;

/** No-op steps of the Python client over both wires, and 64 scored scripts over ZeroMQ. */
export async function measureService(plan: BenchPlan): Promise<readonly Figure[]> {
  await using gym = await createGym({ poolSize: 4 });
  await using server = await BridgeServer.start({
    gym,
    findTask: makeTask,
    versions: { version: packageVersion(), generator: generatorVersion },
    zeromq: 'tcp://127.0.0.1:0',
    grpc: '127.0.0.1:0',
  });
  const { zeromq, grpc } = server.addresses;
  const overZeromq = await measureWire(zeromq, plan);
  const overGrpc = await measureWire(`grpc://${grpc}`, { ...plan, batches: 0 });
  return [
    ...makeWireFigures('zeromq', overZeromq, { stepMs: 0.25, stepsPerSecond: 15_000 }),
    ...makeWireFigures('grpc', overGrpc, { stepMs: 0.9, stepsPerSecond: 4_000 }),
    makeFigure({ name: 'score_scripts_64_s', unit: 's', values: overZeromq.score_64_s }),
  ];
}

async function measureWire(address: string, { seconds, batches }: BenchPlan): Promise<WireReport> {
  const script = `${checkoutRoot()}/scripts/bench/wire.py`;
  const args = [script, address, String(seconds), String(batches)];
  const { stdout } = await execa(venvProgram('python'), args, { stderr: 'inherit', timeout: 300_000 });
  return wireReport.parse(JSON.parse(stdout));
}

interface WireTargets {
  readonly stepMs: number;
  readonly stepsPerSecond: number;
}

function makeWireFigures(wire: string, report: WireReport, targets: WireTargets): readonly Figure[] {
  return [
    makeFigure({
      name: `${wire}_step_ms`,
      unit: 'ms',
      values: report.step_ms,
      target: { of: 'median', relation: '<=', limit: targets.stepMs },
    }),
    makeFigure({
      name: `${wire}_steps_per_s`,
      unit: '1/s',
      values: report.steps_per_s,
      target: { of: 'median', relation: '>=', limit: targets.stepsPerSecond },
    }),
  ];
}
