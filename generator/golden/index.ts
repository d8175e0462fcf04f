export { explainGolden, findGoldenChanges, type GoldenChange, readGolden, writeGolden } from './golden.ts';
