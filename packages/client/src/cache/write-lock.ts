import { orThrow, toResult } from '../errors/result.ts';

const held = new WeakMap<object, Promise<unknown>>();

/** Delays the cache writes of asynchronous values of a session while an operation runs, e.g. its sign-out. */
export async function holdWrites<T>(session: object, run: () => Promise<T>): Promise<T> {
  const running = toResult(run());
  held.set(session, Promise.all([held.get(session), running]));
  return orThrow(await running);
}

/** Resolves when the operations that hold the writes of this session have ended. */
export async function waitForRelease(session: unknown): Promise<void> {
  if (session instanceof Object) await held.get(session);
}
