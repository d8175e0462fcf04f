import { resolve } from 'node:path';
import { Command } from 'commander';
import { checkoutRoot } from './checkout.ts';
import { demoPlans } from './demo-plan.ts';
import { runDemo } from './demo-run.ts';
import { runCommand } from './output.ts';
import { runProgram } from './program.ts';

const program = new Command('scripts/demo')
  .description('The main job with a small real model on the CPU: generate, serve, train, evaluate, report')
  .option('--quick', 'fewer episodes, in under 4 minutes')
  .option('--out <folder>', 'where everything is written', `${checkoutRoot()}/runs/demo`)
  .allowExcessArguments(false)
  .action(
    runCommand(({ quick, out }: { readonly quick?: true; readonly out: string }) =>
      runDemo(quick === true ? demoPlans.quick : demoPlans.full, resolve(out)),
    ),
  );
await runProgram(program, process.argv.slice(2));
