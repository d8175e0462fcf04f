import { describe, expect, test } from 'vitest';
import { makeRecord } from '../record.test-double.ts';
import { makeRunResults, makeRunSections } from '../run-report.ts';
import { formatHtml } from './page.ts';

const section = { id: 'a', title: '<b>', table: null, charts: [], notes: ['x & y'] };

describe('formatHtml()', { timeout: 60_000 }, () => {
  test('asks for nothing from outside and runs nothing', () => {
    const [result] = makeRunResults([makeRecord({ passed: true }), makeRecord({ depth: 1 })]);
    const html = formatHtml({
      title: 't',
      subtitle: 's',
      parts: [{ heading: 'h', sections: makeRunSections(result!) }],
    });
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(|https?:/);
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html).toContain('width=device-width');
  });

  test('escapes all text, when a name holds markup', () => {
    const bar = { label: '"><script>', share: 0.5, low: 0.2, high: 0.8, count: '1/2' };
    const chart = { type: 'bars', title: "'", bars: [bar] } as const;
    const html = formatHtml({
      title: '<i>',
      subtitle: '&',
      parts: [{ heading: '<h>', sections: [{ ...section, charts: [chart] }] }],
    });
    expect(html).not.toMatch(/<script>|<i>|<h>|<b>[^<0-9]/);
    expect(html).toContain('&#34;&#62;&#60;script&#62;');
  });

  test('draws a bar with its interval, and none where nothing was played', () => {
    const bars = [
      { label: 'a', share: 0.5, low: 0.2, high: 0.8, count: '5/10' },
      { label: 'b', share: null, low: null, high: null, count: '0/0' },
    ];
    const html = formatHtml({
      title: 't',
      subtitle: '',
      parts: [{ heading: 'h', sections: [{ ...section, charts: [{ type: 'bars', title: 'c', bars }] }] }],
    });
    expect(html).toContain('width="50.0"');
    expect(html).toContain('M20.0 8H80.0');
    expect(html).toContain('50 % (20–80) · 5/10');
    expect(html).toContain('no episode');
  });

  test('gives the same bytes, when called twice', () => {
    const page = { title: 't', subtitle: 's', parts: [{ heading: 'h', sections: [section] }] };
    expect(formatHtml(page)).toBe(formatHtml(page));
  });
});
