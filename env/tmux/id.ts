declare const brand: unique symbol;

/** A pane's id with tmux's sigil, such as `%3`; unique for the life of a server. */
export type PaneId = string & { readonly [brand]: 'PaneId' };

/** Throws a RangeError for anything but `%` and digits. */
export function parsePaneId(text: string): PaneId {
  if (!/^%\d+$/.test(text)) throw new RangeError(`Cannot read a pane id: expected % and digits, found "${text}"`);
  return text as PaneId;
}
