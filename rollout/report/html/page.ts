import type { Part, Section } from '../section.ts';
import type { Table } from '../table.ts';
import { formatChart } from './chart.ts';
import { escapeHtml } from './escape.ts';
import { styleSheet } from './style.ts';

export interface Page {
  readonly title: string;
  /** One line under the title. */
  readonly subtitle: string;
  readonly parts: readonly Part[];
}

/**
 * One self-contained page: no script, no font, no request; light and dark; wide tables scroll on a phone. All text is
 * escaped. The same parts give the same bytes.
 */
export function formatHtml({ title, subtitle, parts }: Page): string {
  const body = parts.map((part, index) => formatPart(part, index)).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
${styleSheet}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<p class="note">${escapeHtml(subtitle)}</p>
${formatContents(parts)}</header>
<main>
${body}
</main>
</body>
</html>
`;
}

function formatContents(parts: readonly Part[]): string {
  if (parts.length < 2) return '';
  const links = parts.map(({ heading }, index) => `<li><a href="#part-${index}">${escapeHtml(heading)}</a></li>`);
  return `<nav><ul>${links.join('')}</ul></nav>\n`;
}

function formatPart({ heading, sections }: Part, index: number): string {
  const inner = sections.map((section) => formatSection(section, index)).join('\n');
  return `<article id="part-${index}">\n<h2>${escapeHtml(heading)}</h2>\n${inner}\n</article>`;
}

function formatSection({ id, title, table, charts, notes }: Section, part: number): string {
  return [
    `<section id="part-${part}-${escapeHtml(id)}">`,
    `<h3>${escapeHtml(title)}</h3>`,
    ...charts.map(formatChart),
    ...(table === null ? [] : [formatTable(table)]),
    ...notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`),
    '</section>',
  ].join('\n');
}

function formatTable({ columns, rows }: Table): string {
  const head = columns
    .map(({ title, align }) => `<th scope="col"${classOf(align, '')}>${escapeHtml(title)}</th>`)
    .join('');
  const lines = rows.map((row) => {
    const cells = row.map((text, index) => {
      const attributes = classOf(columns[index]?.align, text);
      return index === 0
        ? `<th scope="row"${attributes}>${escapeHtml(text)}</th>`
        : `<td${attributes}>${escapeHtml(text)}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<div class="wide" tabindex="0"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${lines.join('\n')}\n</tbody>\n</table></div>`;
}

/** Long texts wrap, figures never do. */
function classOf(align: 'left' | 'right' | undefined, text: string): string {
  if (align !== 'left') return '';
  return text.length > 40 ? ' class="text long"' : ' class="text"';
}
