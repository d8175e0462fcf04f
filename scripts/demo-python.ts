import { execa } from 'execa';
import { z } from 'zod';
import { packageVersion } from './checkout.ts';
import { runJson, venv } from './demo-process.ts';
import type { Addresses } from './demo-train.ts';

const refusalProgram = `
import json, sys
from muxgym import Client, SplitError
lines = []
for address in sys.argv[1:]:
    with Client(address) as client:
        for task in ("cliff-d3-n1-s0", "cliff-d4-n1-s0"):
            try:
                client.create(task)
            except SplitError as error:
                lines.append(f"{task} at {address}: {type(error).__name__}: {error}")
print(json.dumps(lines))
`;

/** A trainer asks for a held-out task of each depth over each wire. Throws where one was not refused. */
export async function showRefusals({ zeromq, grpc }: Addresses): Promise<readonly string[]> {
  const program = venv('python', '-c', refusalProgram, zeromq, `grpc://${grpc}`);
  return z
    .array(z.string())
    .length(4)
    .parse(await runJson(program, 'ask for held-out tasks'));
}

const arrowProgram = `
import json, sys
import pyarrow as pa
with pa.OSFile(sys.argv[1]) as source, pa.ipc.open_stream(source) as reader:
    print(json.dumps(sum(batch.num_rows for batch in reader)))
`;

/** Rows of an Arrow IPC stream, as a trainer would read it. */
export async function readArrowRows(path: string): Promise<number> {
  return z.int().parse(await runJson(venv('python', '-c', arrowProgram, path), 'read the Arrow file'));
}

const versionProgram = `
import importlib.metadata as metadata, json, platform
names = ("torch", "transformers", "trl", "datasets", "pyzmq", "grpcio", "pyarrow")
print(json.dumps({"python": platform.python_version(), **{name: metadata.version(name) for name in names}}))
`;

export async function readVersions(): Promise<Readonly<Record<string, string>>> {
  const python = await runJson(venv('python', '-c', versionProgram), 'read versions');
  const { stdout } = await execa('tmux', ['-V']);
  const own = { muxgym: packageVersion(), node: process.versions.node, tmux: stdout.replace(/^tmux /, '') };
  return { ...own, ...z.record(z.string(), z.string()).parse(python) };
}
