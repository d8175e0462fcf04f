/** Things to do at virtual times. Of those due at once, what was put first comes first. */
export class Agenda<Item> {
  #entries: { readonly dueMs: number; readonly item: Item }[] = [];

  get nextDueMs(): number | null {
    return this.#entries[0]?.dueMs ?? null;
  }

  put(dueMs: number, item: Item): void {
    const index = this.#entries.findIndex((entry) => entry.dueMs > dueMs);
    this.#entries.splice(index < 0 ? this.#entries.length : index, 0, { dueMs, item });
  }

  /** Removes and returns what is due, in order. */
  takeDue(nowMs: number): readonly Item[] {
    const end = this.#entries.findIndex(({ dueMs }) => dueMs > nowMs);
    return this.#entries.splice(0, end < 0 ? this.#entries.length : end).map(({ item }) => item);
  }
}
