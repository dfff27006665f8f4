import type { Reader } from '@tessera/client/internals';

type Result<Value> = Awaited<ReturnType<Reader<Value>['promise']>>;

/** A reader whose value belongs to one component: no other component sees it, and it is not kept. */
export interface OwnReader<Value> extends Reader<Value> {
  /** Edits the loaded value, e.g. after a deletion. */
  readonly change: (next: (value: Value) => Value) => void;
}

/** Creates a reader that loads when the first listener subscribes. */
export function createOwnReader<Value>(load: () => Promise<Value>): OwnReader<Value> {
  const listeners = new Set<() => void>();
  let result: Result<Value> | undefined;
  let pending: Promise<Result<Value>> | undefined;

  function show(next: Result<Value> | undefined): void {
    result = next;
    for (const listener of listeners) listener();
  }

  async function read(): Promise<Result<Value>> {
    const next: Result<Value> = await load().then(
      data => ({ status: 'ok', data }),
      error => ({ status: 'error', error }),
    );
    pending = undefined;
    show(next);
    return next;
  }

  function forgetFailure(): void {
    if (result?.status === 'error') show(undefined);
  }

  function refresh(): Promise<Result<Value>> {
    forgetFailure();
    pending ??= read();
    return pending;
  }

  const promise = () => (result === undefined ? refresh() : Promise.resolve(result));

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
      if (result?.status === 'ok') show({ status: 'ok', data: next(result.data) });
    },
  };
}
