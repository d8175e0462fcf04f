import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { currentOwner, InputError, isAlive } from '../../env/index.ts';

const ownerSchema = z.object({ pid: z.int(), startTime: z.string(), bootId: z.string(), pidNamespace: z.string() });

/** A held run folder. */
export interface RunLock {
  /** Idempotent. */
  release(): void;
}

/**
 * Takes a run folder for this process. Each owner writes a file of its own name first and looks for others afterwards,
 * so that of two at once at least one sees the other. Files of dead owners are removed. Throws an InputError
 * (`E_RUN_LOCKED`) where another owner lives.
 */
export function lockRun(folder: string): RunLock {
  const name = `owner-${process.pid}-${randomBytes(4).toString('hex')}.json`;
  const path = join(folder, name);
  writeFileSync(`${path}.tmp`, JSON.stringify(currentOwner()));
  renameSync(`${path}.tmp`, path);
  const release = () => rmSync(path, { force: true });
  try {
    for (const other of readdirSync(folder)) {
      if (other !== name && /^owner-.*\.json$/.test(other)) evict(join(folder, other));
    }
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

function evict(path: string): void {
  const owner = readOwner(path);
  if (owner !== null && isAlive(owner)) {
    throw new InputError({
      code: 'E_RUN_LOCKED',
      what: 'Cannot use a run folder that another process works in',
      where: path,
      expected: 'no living owner',
      found: `process ${owner.pid}`,
      hint: 'wait for it, end it, or choose another --out',
    });
  }
  rmSync(path, { force: true });
}

/** Null where the owner released it meanwhile, or the file is no owner's. */
function readOwner(path: string): z.infer<typeof ownerSchema> | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const parsed = ownerSchema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}
