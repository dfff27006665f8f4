import { KeyMap } from '../cache/key-map.ts';
import type { Reader } from '../cache/reader.ts';
import type { Result } from '../errors/result.ts';

/** On a server a caller can choose the names, such as ids of teams: the least recently used ones are dropped. */
const selections = new WeakMap<object, KeyMap<Reader<unknown>>>();

/** A reader of a part of another reader's value. Equal names return the same reader; the name identifies the selection. */
export function selectReader<Whole, Part>(of: Reader<Whole>, name: string, pick: (whole: Whole) => Part): Reader<Part> {
  const known = selections.get(of) ?? new KeyMap<Reader<unknown>>();
  selections.set(of, known);
  return known.get([name], () => select(of, pick)) as Reader<Part>;
}

function select<Whole, Part>(of: Reader<Whole>, pick: (whole: Whole) => Part): Reader<Part> {
  let last: { readonly from: Result<Whole>; readonly to: Result<Part> } | undefined;
  let pending: { readonly of: Promise<unknown>; readonly picked: Promise<Result<Part>> } | undefined;
  // The same input returns the same object, because React compares snapshots.
  const pickFrom = (from: Result<Whole>): Result<Part> => {
    if (last?.from !== from) last = { from, to: from.status === 'ok' ? { status: 'ok', data: pick(from.data) } : from };
    return last.to;
  };
  return {
    subscribe: of.subscribe,
    peek() {
      const whole = of.peek();
      return whole && pickFrom(whole);
    },
    promise() {
      const promise = of.promise();
      if (pending?.of !== promise) pending = { of: promise, picked: promise.then(pickFrom) };
      return pending.picked;
    },
    refresh: async () => pickFrom(await of.refresh()),
    forgetFailure: of.forgetFailure,
  };
}

/** A reader whose value never changes. */
export function constantReader<T>(data: T): () => Reader<T> {
  const result: Result<T> = { status: 'ok', data };
  const promise = Promise.resolve(result);
  const reader: Reader<T> = {
    subscribe: () => () => {},
    peek: () => result,
    promise: () => promise,
    refresh: () => promise,
    forgetFailure: () => {},
  };
  return () => reader;
}
