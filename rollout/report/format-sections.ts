import type { Section } from './section.ts';
import { formatMarkdown, formatText } from './table.ts';

/** Sections for a terminal or as Markdown; pictures are left to HTML. */
export function formatSections(sections: readonly Section[], format: 'table' | 'markdown'): string {
  return sections.map((section) => formatSection(section, format)).join('\n\n');
}

function formatSection({ title, table, notes }: Section, format: 'table' | 'markdown'): string {
  const heading = format === 'markdown' ? `### ${title}` : title;
  const body = table === null ? [] : [format === 'markdown' ? formatMarkdown(table) : formatText(table)];
  const legend = notes.length === 0 ? [] : [notes.join(format === 'markdown' ? '\n\n' : '\n')];
  return [heading, ...body, ...legend].join('\n\n');
}
