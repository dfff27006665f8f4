import { type ClientApp, internals, type UserJson } from '@tessera/client';
import { renderingApp } from '@tessera/client/internals';

interface Prepared {
  readonly app: ClientApp<true>;
  readonly done: Promise<unknown>;
  isDone: boolean;
}

/** By the user of a response, or by the app without one: a page that suspends is rendered again with the same values. */
const prepared = new WeakMap<object, Prepared>();

/** An app that knows its user. Suspends until the user object is built, which takes no request. */
export function useAppWithUser(app: ClientApp<true>, user: UserJson | null): ClientApp<true> {
  const key = user ?? app;
  const known = prepared.get(key) ?? prepare(app, user);
  prepared.set(key, known);
  if (!known.isDone) throw known.done;
  return known.app;
}

function prepare(shared: ClientApp<true>, user: UserJson | null): Prepared {
  const app = typeof window === 'undefined' ? renderingApp(shared) : shared;
  Object.assign(app[internals], { knowsUserOnServer: true });
  const done = app[internals].setCurrentUser(Promise.resolve(user)).then(() => {
    state.isDone = true;
  });
  const state: Prepared = { app, done, isDone: false };
  return state;
}
