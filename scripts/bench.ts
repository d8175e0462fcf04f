import { Command } from 'commander';
import { measureArrow } from './bench/arrow.ts';
import type { Figure } from './bench/figure.ts';
import { measureGeneration } from './bench/generation.ts';
import { measureGrid } from './bench/grid.ts';
import { measureLive } from './bench/live.ts';
import { measureOverlap } from './bench/overlap.ts';
import { fullPlan, type Measure, quickPlan } from './bench/plan.ts';
import { measureService } from './bench/service.ts';
import { measureSteps } from './bench/steps.ts';
import { printJson, printTable, runCommand } from './output.ts';

/** In the order in which they run; each ends what it started. */
const measures: readonly Measure[] = [
  measureGrid,
  measureSteps,
  measureGeneration,
  measureArrow,
  measureOverlap,
  measureService,
  measureLive,
];

export function benchCommand(): Command {
  return new Command('bench')
    .description('Measures this machine beside its own floor, in one run; a missed target is shown, not an error')
    .option('--quick', 'fewer passes')
    .option('--json', 'one JSON object')
    .action(
      runCommand(async (options: { readonly quick?: true; readonly json?: true }) => {
        const plan = options.quick === true ? quickPlan : fullPlan;
        const figures: Figure[] = [];
        for (const measure of measures) figures.push(...(await measure(plan)));
        if (options.json === true) printJson({ figures });
        else printFigures(figures);
      }),
    );
}

function printFigures(figures: readonly Figure[]): void {
  printTable(figures, [
    { title: 'figure', value: ({ name }) => name },
    { title: 'unit', value: ({ unit }) => unit },
    { title: 'median', value: ({ median }) => median },
    { title: 'min', value: ({ min }) => min },
    { title: 'max', value: ({ max }) => max },
    { title: 'floor', value: ({ floor }) => floor },
    { title: 'ratio', value: ({ ratio }) => ratio },
    { title: 'target', value: ({ target }) => target },
    { title: 'ok', value: ({ ok }) => (ok ? 'yes' : 'no') },
  ]);
}
