import { formatMarkdown } from '../rollout/index.ts';
import { heldOutDepths, servedSplit } from './demo-plan.ts';
import type { DemoResult } from './demo-result.ts';
import { lineColumns, makeLines } from './demo-table.ts';
import { grpoLines, movement } from './demo-train.ts';

/** The report of a demo, as Markdown. */
export function formatReport(result: DemoResult): string {
  const { plan, training, evaluations, refusals, versions, seconds } = result;
  const sections = [
    '# muxgym demo: base, SFT and GRPO on the cliff',
    `Plan \`${plan.mode}\`, ${seconds} s. SmolLM2-135M-Instruct on the CPU, real tmux servers. Depths ${listDepths()} were held out: the server served the split \`${servedSplit}\`.`,
    formatResults(result),
    `Passed of episodes with a verdict, with Wilson's 95 % interval, and the mean reward. Evaluation tasks: depths ${plan.eval.depths}, N ${plan.eval.ops}, seeds ${plan.eval.seeds}; training tasks: ${plan.train.depths}, N ${plan.train.ops}, seeds ${plan.train.seeds}.`,
    '## Training',
    bullets([
      `SFT: ${training.sft.rows} verified demonstrations, loss ${training.sft.steps[0]?.loss.toFixed(3)} to ${training.sft.steps.at(-1)?.loss.toFixed(3)}, ${training.sft.train_s.toFixed(0)} s`,
      ...grpoLines(training.grpo).map((line) => `GRPO: ${line}`),
      `Control (constant reward, no KL term): ${movement(training.control)}`,
    ]),
    '## Held-out tasks asked for by the trainer',
    bullets(refusals),
    '## Raw records',
    bullets(
      evaluations.map(
        ({ stage, report, arrowRows }) =>
          `${stage}: \`${report.arrow_file}\` (${arrowRows} rows), \`${report.report}\``,
      ),
    ),
    '## Versions',
    bullets(Object.entries(versions).map(([name, version]) => `${name} ${version}`)),
  ];
  return `${sections.join('\n\n')}\n`;
}

function formatResults({ rows }: DemoResult): string {
  const lines = makeLines(rows);
  const columns = lineColumns.map(({ title }) => ({ title }));
  return formatMarkdown({
    columns,
    rows: lines.map((line) => lineColumns.map(({ value }) => String(value(line) ?? '-'))),
  });
}

function listDepths(): string {
  return heldOutDepths.map((depth) => `D${depth}`).join(' and ');
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
