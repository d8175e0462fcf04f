import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Terminal } from './terminal.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-terminal-'));
  path = join(folder, 'fifo');
  execFileSync('mkfifo', [path]);
});
afterEach(() => rmSync(folder, { recursive: true }));

// A FIFO opened for both blocks and fills as a terminal does, and lets the test read what was written.
const open = () => openSync(path, constants.O_RDWR | constants.O_NONBLOCK);

const direct = { writeTerminal: (descriptor: number, bytes: Uint8Array) => writeSync(descriptor, bytes) };

describe('Terminal', () => {
  test('writes what it is given, and reads it back', () => {
    const terminal = new Terminal(open(), direct);
    expect(terminal.write('naïve ✓\n')).toEqual({ type: 'written' });
    expect(terminal.read()).toBe('naïve ✓\n');
    expect(terminal.read()).toBe('');
    terminal.close();
    terminal.close();
  });

  test('keeps what does not fit, never blocks, and loses nothing', () => {
    const terminal = new Terminal(open(), direct);
    const text = Array.from({ length: 30_000 }, (_, index) => `line ${index}\n`).join('');
    expect(terminal.write(text)).toEqual({ type: 'blocked' });
    expect(terminal.write('last\n')).toEqual({ type: 'blocked' });
    let seen = '';
    for (;;) {
      for (let chunk = terminal.read(); chunk !== ''; chunk = terminal.read()) seen += chunk;
      if (terminal.flush().type === 'written') break;
    }
    for (let chunk = terminal.read(); chunk !== ''; chunk = terminal.read()) seen += chunk;
    expect(seen).toBe(`${text}last\n`);
    terminal.close();
  });

  test('tells that the terminal is broken, when nobody reads it', () => {
    const reader = open();
    const terminal = new Terminal(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK), direct);
    closeSync(reader);
    expect(terminal.write('x')).toEqual({ type: 'failed', code: 'EPIPE' });
    terminal.close();
  });
});
