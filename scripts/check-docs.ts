import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import { parseSnippets, type Snippet, shortenOpeners } from './doc-snippets.ts';
import { progress, setExitCode } from './output.ts';

/**
 * Executes the marked snippets of Markdown files, in order, at the current folder, each in a process group that is
 * ended afterwards. A snippet fails by its exit code; one without a mark fails too, so that no command rots unseen.
 */
async function main(paths: readonly string[]): Promise<void> {
  let failed = 0;
  let ran = 0;
  for (const path of paths) {
    for (const snippet of parseSnippets(await readFile(path, 'utf8'))) {
      const place = `${path}:${snippet.line}`;
      if (snippet.mark === 'not-run') continue;
      const problem = snippet.mark === null ? 'has no mark' : await runSnippet(snippet, place);
      ran += 1;
      if (problem === null) continue;
      failed += 1;
      progress(`error[E_SNIPPET]: Snippet failed, at ${place}: expected exit code 0, found: ${problem}`);
    }
  }
  progress(`${ran - failed} of ${ran} snippets passed`);
  if (failed > 0 || ran === 0) setExitCode(1);
}

const timeoutMinutes = 20;

async function runSnippet(snippet: Snippet, place: string): Promise<string | null> {
  progress(`--- ${place}`);
  const [program, ...args] = interpreters[snippet.language] ?? ['false'];
  const child = execa(program, [...args, shortenOpeners(snippet.code)], {
    reject: false,
    detached: true,
    stdin: 'ignore',
    stdout: 2,
    stderr: 2,
  });
  const timer = setTimeout(() => endGroup(child.pid, 'SIGKILL'), timeoutMinutes * 60_000);
  const { exitCode, signal } = await child;
  clearTimeout(timer);
  endGroup(child.pid, 'SIGTERM');
  return exitCode === 0 ? null : `exit code ${exitCode ?? 'none'}, signal ${signal ?? 'none'}`;
}

const shell: readonly [string, ...string[]] = ['bash', '-euxo', 'pipefail', '-c'];
const interpreters: Readonly<Record<string, readonly [string, ...string[]]>> = {
  sh: shell,
  bash: shell,
  python: ['trainer-bridge/python/.venv/bin/python', '-c'],
};

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

if (process.argv.length <= 2) {
  progress('usage: check-docs.ts FILE.md…');
  setExitCode(2);
} else {
  await main(process.argv.slice(2));
}
