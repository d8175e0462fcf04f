import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A path below the folder of package.json, from sources and from the build alike. Throws where there is none. */
export function checkoutPath(...parts: readonly string[]): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (dirname(folder) === folder) throw new Error(`Cannot find package.json above "${import.meta.dirname}"`);
    folder = dirname(folder);
  }
  return join(folder, ...parts);
}
