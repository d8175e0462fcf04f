import type { RolloutRecord } from '../record/index.ts';
import type { RecordSource } from './read-source.ts';

/**
 * Fills `oracle_commands` where a record lacks it, from the oracles among the sources: for each task the fewest tmux
 * commands with which one passed. Without an oracle run beside it, a run has no efficiency.
 */
export function fillOracleCommands(sources: readonly RecordSource[]): readonly RecordSource[] {
  const shortest = new Map<string, number>();
  for (const { task_hash, policy, passed, agent_commands } of sources.flatMap(({ records }) => records)) {
    if (!passed || agent_commands === null || !isOracle(policy)) continue;
    shortest.set(task_hash, Math.min(agent_commands, shortest.get(task_hash) ?? agent_commands));
  }
  if (shortest.size === 0) return sources;
  return sources.map((source) => ({ ...source, records: source.records.map((record) => fill(record, shortest)) }));
}

function fill(record: RolloutRecord, shortest: ReadonlyMap<string, number>): RolloutRecord {
  return { ...record, oracle_commands: record.oracle_commands ?? shortest.get(record.task_hash) ?? null };
}

function isOracle(policy: string): boolean {
  return policy === 'oracle' || policy.startsWith('oracle:');
}
