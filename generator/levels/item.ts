import type { RandomStream } from '../random/index.ts';

const materials: readonly string[] = `
acorn arrow badge ballot banner beacon bishop bridge brush buckle cabin cannon carton castle chalk chariot
cloak clock compass cradle crown dial dome easel engine fiddle flag forge fossil gavel globe goblet
`
  .trim()
  .split(/\s+/);

/** `count` different things that a helper can be asked for; none has the name of a window. */
export function makeItems(stream: RandomStream, count: number): readonly string[] {
  return stream.sample(materials, count);
}
