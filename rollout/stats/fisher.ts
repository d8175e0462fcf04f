/**
 * Fisher's exact test, two-sided: the probability, with the margins fixed, of every table that is no likelier than
 * this one (the definition of R and SciPy, with their relative tolerance of 1e-7).
 * Throws a RangeError where a count is not a non-negative integer.
 */
export function fisherExact(passedA: number, failedA: number, passedB: number, failedB: number): number {
  for (const count of [passedA, failedA, passedB, failedB]) {
    if (!Number.isInteger(count) || count < 0) throw new RangeError(`Cannot test a table: ${count} is no count`);
  }
  const rowA = passedA + failedA;
  const rowB = passedB + failedB;
  const passed = passedA + passedB;
  const logFactorial = makeLogFactorials(rowA + rowB);
  const logChoose = (n: number, k: number) => at(logFactorial, n) - at(logFactorial, k) - at(logFactorial, n - k);
  const logProbability = (k: number) =>
    logChoose(rowA, k) + logChoose(rowB, passed - k) - logChoose(rowA + rowB, passed);

  const limit = logProbability(passedA) + Math.log1p(1e-7);
  let sum = 0;
  for (let k = Math.max(0, passed - rowB); k <= Math.min(rowA, passed); k += 1) {
    const log = logProbability(k);
    if (log <= limit) sum += Math.exp(log);
  }
  return Math.min(1, sum);
}

function makeLogFactorials(n: number): Float64Array {
  const table = new Float64Array(n + 1);
  for (let index = 2; index <= n; index += 1) table[index] = at(table, index - 1) + Math.log(index);
  return table;
}

function at(table: Float64Array, index: number): number {
  const value = table[index];
  if (value === undefined) throw new RangeError(`Cannot read entry ${index} of ${table.length} factorials`);
  return value;
}
