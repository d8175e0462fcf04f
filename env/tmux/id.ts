declare const brand: unique symbol;
declare const windowBrand: unique symbol;

/** A pane's id with tmux's sigil, such as `%3`; unique for the life of a server. */
export type PaneId = string & { readonly [brand]: 'PaneId' };

/** Throws a RangeError for anything but `%` and digits. */
export function parsePaneId(text: string): PaneId {
  if (!/^%\d+$/.test(text)) throw new RangeError(`Cannot read a pane id: expected % and digits, found "${text}"`);
  return text as PaneId;
}

/** A window's id, such as `@3`; unique for the life of a server. */
export type WindowId = string & { readonly [windowBrand]: 'WindowId' };

/** Throws a RangeError for anything but `@` and digits. */
export function parseWindowId(text: string): WindowId {
  if (!/^@\d+$/.test(text)) throw new RangeError(`Cannot read a window id: expected @ and digits, found "${text}"`);
  return text as WindowId;
}
