import type { Difference } from './arm-figures.ts';
import type { Spread } from './event-figures.ts';
import type { Rate } from './rate.ts';

/** `46.7 %`, or `-` for none. */
export function formatPercent(share: number | null): string {
  return share === null ? '-' : `${(100 * share).toFixed(1)} %`;
}

/** `24.8 % to 69.9 %`, or `-` for none. */
export function formatInterval(low: number | null, high: number | null): string {
  return low === null || high === null ? '-' : `${formatPercent(low)} to ${formatPercent(high)}`;
}

/** `7/15`; sums that are no whole numbers keep two digits. */
export function formatCount({ count, n }: Pick<Rate, 'count' | 'n'>): string {
  return `${Number.isInteger(count) ? count : count.toFixed(2)}/${n}`;
}

/** `7/15, 46.7 % (24.8 to 69.9)`. */
export function formatRate({ count, n, rate, ci_low, ci_high }: Rate): string {
  if (rate === null) return '-';
  const interval = ci_low === null || ci_high === null ? '' : ` (${formatBounds(ci_low, ci_high, 100)})`;
  return `${formatCount({ count, n })}, ${formatPercent(rate)}${interval}`;
}

/** `+12.0 points (3.1 to 20.4)`; the interval is missing where no draw differs. */
export function formatPoints({ difference, ci_low, ci_high }: Difference): string {
  const interval = ci_low === null || ci_high === null ? '' : ` (${formatBounds(ci_low, ci_high, 100)})`;
  return `${difference >= 0 ? '+' : ''}${(100 * difference).toFixed(1)} points${interval}`;
}

/** `3 (2 to 5)`: median and quartiles. */
export function formatSpread(spread: Spread | null): string {
  if (spread === null) return '-';
  const { median, quartile_low, quartile_high } = spread;
  return `${formatNumber(median)} (${formatNumber(quartile_low)} to ${formatNumber(quartile_high)})`;
}

/** `1.3e-8`, `0.012`, `1`. */
export function formatP(p: number | null): string {
  if (p === null) return '-';
  if (p === 0) return '< 1e-300';
  return p < 0.001 ? p.toExponential(1) : String(Number(p.toFixed(p < 0.1 ? 3 : 2)));
}

/** At most two digits after the point. */
export function formatNumber(value: number): string {
  return String(Number(value.toFixed(2)));
}

function formatBounds(low: number, high: number, scale: number): string {
  return `${(scale * low).toFixed(1)} to ${(scale * high).toFixed(1)}`;
}
