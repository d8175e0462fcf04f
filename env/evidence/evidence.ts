import { type Armed, type Place, ruleOf } from '../events/index.ts';
import { fillTemplate, type Task } from '../task/index.ts';
import type { Note } from '../terminal/index.ts';
import type { LogEntry } from '../tmux/index.ts';
import type { EventResult } from './event-result.ts';
import { type Ending, EventWatch } from './event-watch.ts';
import { Tamper } from './tamper.ts';

export interface EvidenceOptions {
  readonly task: Task;
  readonly secrets: readonly string[];
  /** Where each worker is when the agent first acts. */
  readonly places: ReadonlyMap<string, Place>;
}

/**
 * What the agent did, by the server's record and by what the gym itself played, heard and showed; never by anything that
 * the agent can write. Entries and notes come in the order in which things happened, with the virtual time of then.
 */
export class Evidence {
  readonly tamper: Tamper;
  readonly #watches: ReadonlyMap<string, EventWatch>;
  readonly #commands = new Map<string, number>();
  /** Whole commands of clients, where a task's shell probes may read them. */
  readonly #typed: string[] = [];
  readonly #keepsTyped: boolean;
  readonly #options = new Set<string>();
  readonly #piped = new Set<string>();
  /** The command that began last, as the record has it. */
  #running = '';
  #clientCommands = 0;
  #ownSignals = 0;

  constructor({ task, secrets, places }: EvidenceOptions) {
    this.tamper = new Tamper(task.hooks ?? []);
    this.#keepsTyped = task.instrument === 'shell';
    this.#watches = new Map(
      task.events.flatMap((event) => {
        const place = places.get(event.worker);
        if (place === undefined)
          throw new Error(`Cannot watch event "${event.id}": worker "${event.worker}" is nowhere`);
        const tokens = tokensOf(ruleOf(event).proof(event), secrets);
        const reactions = ruleOf(event)
          .reactions(event)
          .map((line) => fillTemplate(line, secrets).trim());
        const proof = { tokens, reactions, needsProof: needsProof(task, event.id) };
        return [[event.id, new EventWatch(event, { place, ...proof })]] as const;
      }),
    );
  }

  /** Events that have happened and were not reacted to rightly; and those that may still be attempted in vain. */
  get unreacted(): readonly string[] {
    return [...this.#watches.values()].filter((watch) => !watch.hasReacted).map(({ event }) => event.id);
  }

  /** Commands of tmux that clients of the agent ran. */
  get agentCommands(): number {
    return Math.max(0, this.#clientCommands - this.#ownSignals);
  }

  /** How often a command ran, by its full name; those of hooks and keys too. */
  commands(name: string): number {
    const own = name === 'wait-for' ? this.#ownSignals : 0;
    return Math.max(0, (this.#commands.get(name) ?? 0) - own);
  }

  /** Commands of tmux that the agent's clients ran, as tmux writes them; empty but for tasks of the published format. */
  get typed(): readonly string[] {
    return this.#typed;
  }

  note(entry: LogEntry, nowMs: number): void {
    this.tamper.note(entry);
    this.#keepArmed(entry);
    if (entry.type === 'command') {
      this.#commands.set(entry.name, (this.#commands.get(entry.name) ?? 0) + 1);
      if (entry.client !== null) this.#clientCommands++;
      if (entry.client !== null && this.#keepsTyped) this.#typed.push(entry.text);
    }
    for (const watch of this.#watches.values()) watch.note(entry, nowMs, this.#armedFor(watch.place));
  }

  played(note: Note, nowMs: number): void {
    switch (note.type) {
      case 'fired':
        this.#watch(note.event).begin(nowMs);
        return;
      case 'void':
        this.#watch(note.event).cancel();
        return;
      case 'heard':
        for (const watch of this.#watches.values()) watch.hear(note.line, nowMs);
        return;
      case 'signalled':
        this.#ownSignals++;
        return;
      case 'printed':
      case 'ended':
      case 'started':
        return;
    }
  }

  observe(text: string, nowMs: number): void {
    for (const watch of this.#watches.values()) watch.observe(text, nowMs);
  }

  /** The observation itself said that it happened. */
  notice(event: string, nowMs: number): void {
    this.#watch(event).see({ by: 'notice', armed: false }, nowMs);
  }

  /** A check of an event's reaction holds now. */
  reacted(event: string, nowMs: number): void {
    this.#watch(event).react(nowMs);
  }

  /** Something was done as if the event had happened. */
  attempted(event: string, nowMs: number): void {
    this.#watch(event).attempt(nowMs);
  }

  hasFired(event: string): boolean {
    return this.#watch(event).hasFired;
  }

  /** Whether a look would show it. */
  isVisible(event: string, nowMs: number): boolean {
    return this.#watch(event).isVisible(nowMs);
  }

  results(ending: Ending, tickOf: (ms: number) => number): readonly EventResult[] {
    return [...this.#watches.values()].map((watch) => watch.result(ending, tickOf));
  }

  #keepArmed(entry: LogEntry): void {
    if (entry.type === 'option') this.#options.add(entry.name);
    else if (entry.type === 'command') this.#running = entry.text;
    else if (entry.type === 'ran' && entry.name === 'pipe-pane' && entry.pane !== null) this.#notePipe(entry.pane);
  }

  /** It closes the pipe that there was, and opens another where it has a command; with `-o` only if there was none. */
  #notePipe(pane: string): void {
    const { opens, toggles } = readPipe(this.#running);
    if (opens && !(toggles && this.#piped.has(pane))) this.#piped.add(pane);
    else this.#piped.delete(pane);
  }

  #watch(event: string): EventWatch {
    const watch = this.#watches.get(event);
    if (watch === undefined) throw new Error(`Cannot follow event "${event}": the task has none of this name`);
    return watch;
  }

  #armedFor({ pane }: Place): Armed {
    return { options: this.#options, piped: this.#piped.has(pane) };
  }
}

/** `pipe-pane -t %1 "cat > x"` opens a pipe, `pipe-pane -t %1` none, `-I` alone one that shows nothing of the pane. */
function readPipe(text: string): { readonly opens: boolean; readonly toggles: boolean } {
  const [, options = '', command = ''] = /^pipe-pane((?: -[IOo]+| -t (?:"[^"]*"|\S+))*)(.*)$/s.exec(text) ?? [];
  const flags = options.replace(/ -t (?:"[^"]*"|\S+)/, '');
  const shows = flags.includes('O') || !flags.includes('I');
  return { opens: command !== '' && shows, toggles: flags.includes('o') };
}

/** The secrets that templates name. */
function tokensOf(templates: readonly string[], secrets: readonly string[]): readonly string[] {
  const slots = templates.flatMap((template) => [...template.matchAll(/\{\{slot:(\d+)\}\}/g)].map(([slot]) => slot));
  return slots.map((slot) => fillTemplate(slot, secrets));
}

/** A right reaction holds a secret: it cannot be had blindly. */
function needsProof(task: Task, event: string): boolean {
  const reactions = task.checks.filter((check) => check.event === event && check.role === 'react');
  return (
    reactions.length > 0 && reactions.every((check) => JSON.stringify([check.probe, check.expect]).includes('{{slot:'))
  );
}
