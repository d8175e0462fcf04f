/** The template that stands for the N-th secret of an episode. */
export function slotOf(index: number): string {
  return `{{slot:${index}}}`;
}

/** Hands out the slots of a task one after another. */
export interface SlotCounter {
  /** Templates of the next `count` slots. */
  take(count: number): readonly string[];
  /** Slots handed out so far, the first ones included. */
  readonly used: number;
}

/** Starts behind the slots that are taken already. */
export function makeSlotCounter(taken: number): SlotCounter {
  let used = taken;
  return {
    take: (count) => {
      const slots = Array.from({ length: count }, (_, index) => slotOf(used + index));
      used += count;
      return slots;
    },
    get used() {
      return used;
    },
  };
}
