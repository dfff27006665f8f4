import type { Reader } from '@tessera/client/internals';

type Result<Value> = Awaited<ReturnType<Reader<Value>['promise']>>;

/** A reader whose value belongs to one component: no other component sees it, and it is not kept. */
export interface OwnReader<Value> extends Reader<Value> {
  /** Edits the loaded value, e.g. after a deletion. A read that is pending is repeated, because it may lack the change. */
  readonly change: (next: (value: Value) => Value) => void;
}

/** Creates a reader that loads when the first listener subscribes. Of several reads the last one counts. */
export function createOwnReader<Value>(load: () => Promise<Value>): OwnReader<Value> {
  const listeners = new Set<() => void>();
  let result: Result<Value> | undefined;
  /** The last value, also while a later read has failed. */
  let loaded: { readonly value: Value } | undefined;
  let pending: Promise<Result<Value>> | undefined;

  function show(next: Result<Value> | undefined): void {
    result = next;
    if (next?.status === 'ok') loaded = { value: next.data };
    for (const listener of listeners) listener();
  }

  async function read(): Promise<Result<Value>> {
    return load().then(
      data => ({ status: 'ok', data }),
      error => ({ status: 'error', error }),
    );
  }

  function forgetFailure(): void {
    if (result?.status === 'error') show(undefined);
  }

  function refresh(): Promise<Result<Value>> {
    const own = read().then(next => {
      if (pending !== own) return next;
      pending = undefined;
      show(next);
      return next;
    });
    pending = own;
    forgetFailure();
    return own;
  }

  const promise = () => (result === undefined ? (pending ?? refresh()) : Promise.resolve(result));

  return {
    peek: () => result,
    promise,
    refresh,
    forgetFailure,
    subscribe(listener) {
      listeners.add(listener);
      void promise();
      return () => listeners.delete(listener);
    },
    change(next) {
      if (loaded) show({ status: 'ok', data: next(loaded.value) });
      if (pending) void refresh();
    },
  };
}
