export { makeStream, type RandomStream, type StreamOwner } from './stream.ts';
