import type { RandomStream } from '../random/index.ts';

type Noise = (stream: RandomStream) => string;

/** Lines as a program would print them. Numbers stay short, so that none can be taken for a token. */
const noises: readonly Noise[] = [
  (stream) => `queue: ${stream.int(90)} waiting`,
  (stream) => `jobs done: ${stream.int(900)}`,
  (stream) => `load: 0.${10 + stream.int(90)}`,
  (stream) => `next run in ${2 + stream.int(58)} minutes`,
  (stream) => `listening on port ${3000 + stream.int(6000)}`,
  (stream) => `cache: ${stream.int(100)}% used`,
  () => 'config loaded',
  () => 'connected',
  () => 'all tests passed',
  () => 'watching for changes',
];

/** The lines of a screen that show a token: `token: ` and the template, among one to three lines of noise. */
export function makeTokenScreen(name: string, token: string, stream: RandomStream): readonly string[] {
  const line = `token: ${token}`;
  switch (stream.int(4)) {
    case 0:
      return [`${name} is up`, line];
    case 1:
      return [`${name} is up`, makeNoise(stream), line];
    case 2:
      return [`${name} is up`, line, makeNoise(stream)];
    default:
      return [`${name} is up`, makeNoise(stream), line, makeNoise(stream)];
  }
}

/** The lines of a worker that is about to exit; no token among them. */
export function makeLastScreen(name: string, stream: RandomStream): readonly string[] {
  return [`${name} is up`, makeNoise(stream), `${name} stopped`];
}

function makeNoise(stream: RandomStream): string {
  return stream.pick(noises)(stream);
}
