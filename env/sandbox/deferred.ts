/** A promise with its handles outside. A rejection that nobody awaits is not an unhandled one. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: Error): void;
}

export function makeDeferred<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<Value>((onResolved, onRejected) => {
    resolve = onResolved;
    reject = onRejected;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
