import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readReportFile } from './report-file.ts';

let home: string;
let report: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'muxgym-report-'));
  report = join(home, 'report.txt');
});
afterEach(() => rmSync(home, { recursive: true }));

describe('readReportFile()', () => {
  const refusalOf = () => {
    const started = performance.now();
    const memory = process.memoryUsage().rss;
    const read = readReportFile(home, 'report.txt');
    expect(performance.now() - started).toBeLessThan(100);
    expect(process.memoryUsage().rss - memory).toBeLessThan(16 << 20);
    return read.type === 'refused' ? read.reason : read;
  };

  test('reads an honest file, as UTF-8', () => {
    writeFileSync(report, '7b19ddf6\nnaïve ✓ 日本\n');
    expect(readReportFile(home, 'report.txt')).toEqual({ type: 'text', text: '7b19ddf6\nnaïve ✓ 日本\n' });
  });

  test('reads an empty file, and one of 64 KiB', () => {
    writeFileSync(report, '');
    expect(readReportFile(home, 'report.txt')).toEqual({ type: 'text', text: '' });
    writeFileSync(report, 'x'.repeat(65_536));
    expect(readReportFile(home, 'report.txt')).toEqual({ type: 'text', text: 'x'.repeat(65_536) });
  });

  test('does not throw, when the bytes are no UTF-8', () => {
    writeFileSync(report, Buffer.from([0xff, 0x00, 0x41]));
    expect(readReportFile(home, 'report.txt')).toEqual({ type: 'text', text: '�\0A' });
  });

  test('refuses what is missing', () => {
    expect(refusalOf()).toBe('missing');
  });

  test('refuses a symbolic link, to a file that could be read or to a device', () => {
    writeFileSync(join(home, 'other'), 'right');
    symlinkSync('other', report);
    expect(refusalOf()).toBe('link');
    for (const target of ['/dev/zero', '/proc/1/environ', 'report.txt', '/nonexistent']) {
      rmSync(report);
      symlinkSync(target, report);
      expect(refusalOf()).toBe('link');
    }
  });

  test('refuses a FIFO, without waiting for a writer', () => {
    execFileSync('mkfifo', [report]);
    expect(refusalOf()).toBe('not-a-file');
  });

  test('refuses a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(report, resolve));
    expect(refusalOf()).toBe('not-a-file');
    await new Promise((resolve) => server.close(resolve));
    writeFileSync(report, '');
  });

  test('refuses a folder', () => {
    mkdirSync(report);
    expect(refusalOf()).toBe('not-a-file');
  });

  test('refuses a hard link, and reads the file once it has one name again', () => {
    writeFileSync(join(home, 'other'), 'right');
    linkSync(join(home, 'other'), report);
    expect(refusalOf()).toBe('hard-link');
    rmSync(join(home, 'other'));
    expect(readReportFile(home, 'report.txt')).toEqual({ type: 'text', text: 'right' });
  });

  test('refuses a sparse file of a terabyte, and any over 64 KiB', () => {
    writeFileSync(report, 'x'.repeat(65_537));
    expect(refusalOf()).toBe('too-long');
    truncateSync(report, 2 ** 40);
    expect(refusalOf()).toBe('too-long');
  });

  test('refuses a file that its owner may not read, even as root', () => {
    writeFileSync(report, 'right');
    chmodSync(report, 0o000);
    expect(refusalOf()).toBe('unreadable');
    chmodSync(report, 0o400);
    expect(readReportFile(home, 'report.txt')).toEqual({ type: 'text', text: 'right' });
  });
});
