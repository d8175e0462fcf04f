import type { Bar, BarChart, Chart, HeatCell, HeatMap } from '../section.ts';
import { escapeHtml } from './escape.ts';

/** A picture as HTML: bars are drawn in SVG, their words stay text, so that they keep their size on a phone. */
export function formatChart(chart: Chart): string {
  switch (chart.type) {
    case 'bars':
      return formatBars(chart);
    case 'heat':
      return formatHeat(chart);
  }
}

function formatBars({ title, bars }: BarChart): string {
  return `<figure>\n<figcaption>${escapeHtml(title)}</figcaption>\n<div class="bars">\n${bars.map(formatBar).join('\n')}\n</div>\n</figure>`;
}

function formatBar({ label, share, low, high, count }: Bar): string {
  const words = share === null ? 'no episode' : `${percent(share)} %${formatBounds(low, high)} · ${count}`;
  return `<div class="bar"><span class="label">${escapeHtml(label)}</span>${drawBar(share, low, high)}<span class="value">${escapeHtml(words)}</span></div>`;
}

/** 100 units wide, stretched; strokes keep their width. */
function drawBar(share: number | null, low: number | null, high: number | null): string {
  const bar = share === null ? '' : `<rect class="fill" width="${unit(share)}" height="16"/>`;
  const whisker =
    low === null || high === null
      ? ''
      : `<path class="whisker" d="M${unit(low)} 8H${unit(high)}M${unit(low)} 3V13M${unit(high)} 3V13"/>`;
  return `<svg viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="16"/>${bar}${whisker}</svg>`;
}

function formatHeat({ title, columns, rows }: HeatMap): string {
  const head = ['', ...columns].map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('');
  const lines = rows.map(({ label, cells }) => {
    const row = cells.map(formatHeatCell).join('');
    return `<tr><th scope="row" class="text">${escapeHtml(label)}</th>${row}</tr>`;
  });
  return `<figure>\n<figcaption>${escapeHtml(title)}</figcaption>\n<div class="wide" tabindex="0"><table class="heat">\n<thead><tr>${head}</tr></thead>\n<tbody>\n${lines.join('\n')}\n</tbody>\n</table></div>\n</figure>`;
}

function formatHeatCell(cell: HeatCell | null): string {
  if (cell === null) return '<td class="none">·</td>';
  const { share, low, high, count } = cell;
  const bounds = low === null || high === null ? '' : `<small>${percent(low)}–${percent(high)}</small>`;
  return `<td${strengthOf(share)} style="--share:${unit(share)}%"><b>${escapeHtml(count)}</b>${bounds}</td>`;
}

/** Where the colour is so deep that the words must change theirs: earlier in the dark. */
function strengthOf(share: number): string {
  if (share > 0.9) return ' class="full"';
  return share > 0.7 ? ' class="strong"' : '';
}

function formatBounds(low: number | null, high: number | null): string {
  return low === null || high === null ? '' : ` (${percent(low)}–${percent(high)})`;
}

function percent(share: number): string {
  return String(Math.round(100 * share));
}

function unit(share: number): string {
  return (100 * Math.min(1, Math.max(0, share))).toFixed(1);
}
