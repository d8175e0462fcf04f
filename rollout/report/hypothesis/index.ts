// The study's hypotheses and its open cross
export { type Cross, type Crossed, makeCross, makeCrossSections } from './cross.ts';
export { type H1, makeH1, makeH1Sections } from './h1.ts';
export { type H2, makeH2, makeH2Sections } from './h2.ts';
