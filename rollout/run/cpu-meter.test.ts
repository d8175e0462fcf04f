import { execa } from 'execa';
import { expect, test } from 'vitest';
import { createCpuMeter } from './cpu-meter.ts';

const burn = 'import time\nwhile time.process_time() < 0.5: pass';

test('createCpuMeter() counts a child that ended, and itself from 0 on', async () => {
  using meter = createCpuMeter();
  expect(meter.read()).toBeLessThan(300);
  await execa('python3', ['-c', burn]);
  expect(meter.read()).toBeGreaterThan(450);
  expect(meter.read()).toBeLessThan(5_000);
});

test('createCpuMeter() counts a grandchild whose parent never waited for it, when it has a group of its own', async () => {
  using meter = createCpuMeter();
  const orphan = `import os, signal\nif os.fork() == 0:\n  ${burn.replaceAll('\n', '\n  ')}\n  os._exit(0)\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nwhile True:\n  try: os.wait()\n  except ChildProcessError: break`;
  await execa('python3', ['-c', orphan]);
  if (meter.kind === 'cgroup') expect(meter.read()).toBeGreaterThan(450);
  else expect(meter.read()).toBeLessThan(450);
});

test('createCpuMeter() leaves no group and can be made again, when it was disposed of', () => {
  for (let round = 0; round < 3; round += 1) {
    using meter = createCpuMeter();
    expect(meter.read()).toBeGreaterThanOrEqual(0);
  }
});
