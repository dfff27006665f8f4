import type { Reader } from '@tessera/client/internals';
import { useState, useSyncExternalStore } from 'react';

type Result<Value> = ReturnType<Reader<Value>['peek']>;

/** The mechanism of every hook that reads: subscribes to a reader, and renders again when its result changes. */
function useResult<Value>(reader: Reader<Value>, onServer: () => Result<Value>): Result<Value> {
  return useSyncExternalStore(reader.subscribe, reader.peek, onServer);
}

/**
 * The value of a reader: suspends until there is one, throws the error of a failed request, renders again on change.
 *
 * @param isKnownOnServer whether the value is known while a page is rendered on a server. Default: no.
 */
export function useReader<Value>(reader: Reader<Value>, isKnownOnServer = false): Value {
  if (!isKnownOnServer) assertBrowser();
  const result = useResult(reader, reader.peek);
  if (result === undefined) throw reader.promise();
  if (result.status === 'error') throw asFailureOf(reader, result.error);
  return result.data;
}

/** What a hook waited for. It starts again when its failure is forgotten. */
type Source = Pick<Reader<unknown>, 'forgetFailure'>;

/** What failed with an error that a hook threw. */
const failed = new WeakMap<object, Set<Source>>();

/** The error, for a hook to throw: an error boundary can then have its source started again. */
export function asFailureOf(source: Source, error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  failed.set(error, (failed.get(error) ?? new Set()).add(source));
  return error;
}

/** Whether a hook threw this error because Tessera did not give it a value. */
export function isHookFailure(error: unknown): boolean {
  return typeof error === 'object' && error !== null && failed.has(error);
}

/**
 * Makes the hooks that threw this error read again when they are rendered next. For error boundaries of other libraries;
 * `TesseraErrorBoundary` calls it itself.
 *
 * @example
 * <ErrorBoundary fallback={<Sorry />} onReset={() => refetch(lastError)}> <Teams /> </ErrorBoundary>
 */
export function refetch(error: unknown): void {
  if (typeof error !== 'object' || error === null) return;
  for (const source of failed.get(error) ?? []) source.forgetFailure();
  failed.delete(error);
}

/** The state of a read. */
export interface ReadState<Value> {
  /** Undefined until it is loaded. Stays while a newer value of the same reader is fetched, and when that fails. */
  readonly value: Value | undefined;
  /** Why the last fetch failed, or undefined. */
  readonly error: unknown;
  /** Fetches again. */
  readonly retry: () => Promise<void>;
}

/**
 * The state of a reader for components that must neither suspend nor throw, such as a form with input. A value is kept only
 * for the reader that loaded it, because another reader can belong to another user.
 *
 * @param isKept whether a value is kept while the reader has none. Default: every value is.
 */
export function useReadState<Value>(
  reader: Reader<Value>,
  isKept: (value: Value) => boolean = always,
): ReadState<Value> {
  const result = useResult(reader, nothing);
  const [last, setLast] = useState<{ readonly reader: Reader<Value>; readonly result: Loaded<Value> }>();
  if (result?.status === 'ok' && result !== last?.result) setLast({ reader, result });
  const kept = last?.reader === reader && isKept(last.result.data) ? last.result.data : undefined;

  return {
    value: result?.status === 'ok' ? result.data : kept,
    error: result?.status === 'error' ? result.error : undefined,
    retry: async () => {
      await reader.refresh();
    },
  };
}

type Loaded<Value> = Extract<Result<Value>, { status: 'ok' }>;

function nothing(): undefined {
  return undefined;
}

function always(): true {
  return true;
}

/**
 * Next.js reads the digest: it then renders this part in the browser, from the nearest Suspense boundary on. Without a
 * boundary `next build` fails with the reason as the subject: "… should be wrapped in a suspense boundary".
 */
export function assertBrowser(): void {
  if (typeof window !== 'undefined') return;
  const reason = 'A component with a Tessera hook';
  const error = new Error(`${reason} needs a <Suspense>.`);
  throw Object.assign(error, { digest: 'BAILOUT_TO_CLIENT_SIDE_RENDERING', reason });
}
