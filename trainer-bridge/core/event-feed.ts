import type { EventNotice, InputError } from '../../env/index.ts';
import { BusyError } from './refusal.ts';
import type { EventSubscriber } from './service.ts';

/** Subscribers of one episode at once; more is `E_BUSY`. */
const maxSubscribers = 16;

interface Subscription {
  readonly tell: EventSubscriber['tell'];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The events of one episode in their order, for whoever follows them, however late. Nothing here waits for a subscriber;
 * what is kept is bounded by the task, which has 16 events at most.
 */
export class EventFeed {
  readonly #past: EventNotice[] = [];
  readonly #subscriptions = new Set<Subscription>();
  #end: { readonly reason: InputError | null } | null = null;

  /** An event begins. Never throws: a subscriber that does is left out from then on. */
  add(notice: EventNotice): void {
    this.#past.push(notice);
    for (const each of [...this.#subscriptions]) this.#tell(each, notice);
  }

  /** Nothing comes any more; with `reason`, who follows is refused. The first call counts. */
  end(reason: InputError | null): void {
    this.#end ??= { reason };
    for (const each of [...this.#subscriptions]) this.#leave(each, this.#end.reason);
  }

  /** Tells of all events so far at once, then of each as it begins. Rejects with `E_BUSY`, or the reason of the end. */
  async follow({ tell, signal }: EventSubscriber): Promise<void> {
    if (this.#subscriptions.size >= maxSubscribers) throw tooMany();
    let goAway = (): void => undefined;
    const over = new Promise<void>((resolve, reject) => {
      const subscription = { tell, resolve, reject };
      goAway = () => this.#leave(subscription, null);
      this.#begin(subscription);
    });
    signal.addEventListener('abort', goAway);
    if (signal.aborted) goAway();
    try {
      await over;
    } finally {
      signal.removeEventListener('abort', goAway);
    }
  }

  #begin(subscription: Subscription): void {
    this.#subscriptions.add(subscription);
    for (const notice of this.#past) this.#tell(subscription, notice);
    if (this.#end !== null) this.#leave(subscription, this.#end.reason);
  }

  #tell(subscription: Subscription, notice: EventNotice): void {
    if (!this.#subscriptions.has(subscription)) return;
    try {
      subscription.tell(notice);
    } catch (error) {
      this.#leave(subscription, error);
    }
  }

  #leave(subscription: Subscription, error: unknown): void {
    if (!this.#subscriptions.delete(subscription)) return;
    if (error === null) subscription.resolve();
    else subscription.reject(error);
  }
}

function tooMany(): BusyError {
  const what = `Cannot follow an episode more than ${maxSubscribers} times at once`;
  return new BusyError({ code: 'E_BUSY', what, hint: 'end a stream that is not read any more' }, 250);
}
