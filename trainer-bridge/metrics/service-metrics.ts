import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CoreObserver } from '../core/index.ts';

/** What is read when a scrape comes. */
export interface MetricSources {
  readonly liveEpisodes: () => number;
  /** Replies that reached nobody. */
  readonly droppedReplies: () => number;
}

const seconds = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/** The service's Prometheus metrics; `muxgym_` names are stable. */
export class ServiceMetrics {
  readonly registry = new Registry();
  /** To be joined to the core. */
  readonly observer: CoreObserver;
  #sources: MetricSources = { liveEpisodes: () => 0, droppedReplies: () => 0 };

  constructor() {
    const registers = [this.registry];
    const counter = (name: string, help: string, ...labelNames: string[]) =>
      new Counter({ name: `muxgym_${name}_total`, help, labelNames, registers });
    const histogram = (name: string, help: string) =>
      new Histogram({ name: `muxgym_${name}_seconds`, help, buckets: seconds, registers });
    const created = counter('episodes_created', 'Episodes created');
    const grades = counter('grades', 'Grades given, by outcome', 'outcome');
    const busy = counter('busy', 'Calls answered with E_BUSY or E_DRAINING');
    const leases = counter('leases_ended', 'Leases that ended, by cause', 'cause');
    const failures = counter('failures', 'Machinery that broke outside of any call', 'what');
    const createSeconds = histogram('create', 'Time from a create to its start state');
    const actSeconds = histogram('act', 'Time of an action in the gym');
    this.#gauge('live_episodes', 'Episodes in use and scripts that wait or run', () => this.#sources.liveEpisodes());
    this.#gauge('dropped_replies', 'Replies that reached nobody', () => this.#sources.droppedReplies());
    this.observer = {
      created(episodes, ms) {
        created.inc(episodes);
        createSeconds.observe(ms / 1_000);
      },
      acted: (ms) => actSeconds.observe(ms / 1_000),
      graded: (outcome) => grades.inc({ outcome }),
      busy: () => busy.inc(),
      leaseEnded: (cause) => leases.inc({ cause }),
      failed: (what) => failures.inc({ what }),
    };
  }

  /** The core exists only after its observer does. */
  watch(sources: MetricSources): void {
    this.#sources = sources;
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name: `muxgym_${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }
}
