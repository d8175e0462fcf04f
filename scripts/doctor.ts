import { Command } from 'commander';
import type { Finding } from './doctor-finding.ts';
import { probes } from './doctor-probes.ts';
import { printJson, printLine, printTable, runCommand, setExitCode } from './output.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Checks this machine and says how to mend what is missing')
    .option('--json', 'one JSON object')
    .action(
      runCommand(async (options: { readonly json?: true }) => {
        const findings: Finding[] = [];
        for (const probe of probes) findings.push(...(await probe()));
        const ok = findings.every(({ status }) => status !== 'missing');
        if (options.json === true) printJson({ ok, checks: findings });
        else printFindings(findings, ok);
        if (!ok) setExitCode(1);
      }),
    );
}

function printFindings(findings: readonly Finding[], ok: boolean): void {
  printTable(findings, [
    { title: 'status', value: ({ status }) => status },
    { title: 'check', value: ({ name }) => name },
    { title: 'found', value: ({ found }) => found },
    { title: 'expected', value: ({ expected }) => expected },
  ]);
  printLine('');
  for (const { name, mend } of findings) if (mend !== '') printLine(`${name}: ${mend}`);
  printLine(ok ? 'ready' : 'not ready');
}
