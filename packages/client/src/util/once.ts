/** Loads a chunk at the first call. A failed load is repeated at the next call. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch(error => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

type Async<Methods> = { readonly [Name in keyof Methods]: (...args: never[]) => Promise<unknown> };

/** Methods whose code is loaded at the first call of one of them. */
export function lazily<Methods extends Async<Methods>>(
  names: Readonly<Record<keyof Methods, true>>,
  load: () => Promise<Methods>,
): Methods {
  const methods = once(load);
  const call =
    (name: keyof Methods) =>
    async (...args: never[]) =>
      (await methods())[name](...args);
  return Object.fromEntries((Object.keys(names) as (keyof Methods)[]).map(name => [name, call(name)])) as Methods;
}
