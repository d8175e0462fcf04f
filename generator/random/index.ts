export { makeStream, type RandomStream } from './stream.ts';
