import { readFileSync } from 'node:fs';
import { runCommand } from '../output.ts';
import { formatSteps, readDockerfileSteps } from './dockerfile-steps.ts';

const [path = 'Dockerfile.h100'] = process.argv.slice(2);
await runCommand(() => {
  process.stdout.write(formatSteps(readDockerfileSteps(readFileSync(path, 'utf8'), path)));
})();
