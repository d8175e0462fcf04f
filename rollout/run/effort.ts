import type { RunSummary } from './run-summary.ts';
import type { TimeUse } from './time-use.ts';

/** What a run took, as paragraphs of Markdown: speed, where the time went, tokens and cost. Empty where unknown. */
export function formatEffort({
  throughput,
  time,
  usage,
}: Pick<RunSummary, 'throughput' | 'time' | 'usage'>): readonly string[] {
  const paragraphs: string[] = [];
  if (throughput !== null) {
    const { episodes_per_s, cpu_ms_per_episode, wall_s } = throughput;
    const cpu = `${cpu_ms_per_episode.toFixed(0)} ms of CPU an episode`;
    paragraphs.push(`${episodes_per_s.toFixed(2)} episodes/s, ${cpu}, ${wall_s.toFixed(1)} s.`, '');
  }
  if (time !== null) paragraphs.push(`${formatTimeUse(time)}.`, '');
  if (usage.completion_tokens !== null) {
    const cost = usage.cost_usd === null ? '' : `, ${usage.cost_usd.toFixed(4)} US dollars`;
    paragraphs.push(`Tokens: ${usage.prompt_tokens ?? 0} read, ${usage.completion_tokens} written${cost}.`, '');
  }
  return paragraphs;
}

/** Where the time of the episodes went, in one line. */
export function formatTimeUse(time: TimeUse): string {
  const parts = [
    ['model', time.model_s],
    ['waiting for the model', time.model_queue_s],
    ['tmux', time.tmux_s],
    ['waiting for tmux', time.tmux_queue_s],
    ['grading', time.grading_s],
    ['other', time.other_s],
  ] as const;
  const total = Math.max(1e-9, time.episodes_s);
  const shares = parts.map(([name, seconds]) => `${name} ${percent(seconds / total)}`);
  const busy = time.model_busy_share === null ? [] : [`model busy ${percent(time.model_busy_share)} of the time`];
  const idle = time.gpu_idle_share === null ? [] : [`GPU idle ${percent(time.gpu_idle_share)}`];
  return [`Time of episodes: ${shares.join(', ')}`, ...busy, ...idle].join('; ');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
