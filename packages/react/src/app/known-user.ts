import { type ClientApp, internals, type UserJson } from '@tessera/client';
import { renderingApp } from '@tessera/client/internals';
import { useEffect, useMemo, useRef } from 'react';

interface Prepared {
  readonly app: ClientApp<true>;
  readonly done: Promise<unknown>;
  isDone: boolean;
}

/**
 * By the user of a response, or by the app without one: React drops the state of a page that suspends before it is
 * mounted, and renders it again with the same values.
 */
const prepared = new WeakMap<object, Prepared>();

/**
 * An app that knows its user. The first render suspends until the user object is built, which takes no request. A later
 * user is stored after the render: the page stays, and other components of the app see the user too. Undefined stores
 * nothing: the app keeps its user, or reads it.
 */
export function useAppWithUser(app: ClientApp<true>, user: UserJson | null | undefined): ClientApp<true> {
  const key = user ?? app;
  const stored = useRef(user);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect stores later users
  const first = useMemo(() => (user === undefined ? undefined : (prepared.get(key) ?? prepare(app, user))), [app]);

  useEffect(() => {
    if (user === undefined) return;
    // Mounted: the next provider of this app stores its user again.
    prepared.delete(key);
    if (user === stored.current) return;
    stored.current = user;
    void app[internals].setCurrentUser(Promise.resolve(user));
  }, [app, key, user]);

  if (first?.isDone === false) throw first.done;
  return first?.app ?? app;
}

function prepare(shared: ClientApp<true>, user: UserJson | null): Prepared {
  const app = typeof window === 'undefined' ? renderingApp(shared) : shared;
  Object.assign(app[internals], { knowsUserOnServer: true });
  const done = app[internals].setCurrentUser(Promise.resolve(user)).then(() => {
    state.isDone = true;
  });
  const state: Prepared = { app, done, isDone: false };
  prepared.set(user ?? shared, state);
  return state;
}
