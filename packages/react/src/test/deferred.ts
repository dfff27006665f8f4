/** Node 20 has no Promise.withResolvers. */
export function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>(take => {
    resolve = take;
  });
  return { promise, resolve };
}
