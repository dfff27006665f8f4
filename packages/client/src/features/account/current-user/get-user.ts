import type { TokenStoreInit } from '../../../app/config/options.ts';
import type { Context } from '../../../app/context.ts';
import type { Entry } from '../../../cache/entry.ts';
import { KeyMap } from '../../../cache/key-map.ts';
import type { Reader } from '../../../cache/reader.ts';
import { orThrow, type Result } from '../../../errors/result.ts';
import type { Session } from '../../../session/session.ts';
import type { TokenStore } from '../../../session/stores/store.ts';
import type { HasId } from '../subject.ts';

/** What `getUser` does when no user is signed in. An anonymous user counts only in the modes that name it. */
export type Or = 'return-null' | 'redirect' | 'throw' | 'anonymous' | 'anonymous-if-exists';

/** Options of `getUser`. */
export type GetUserOptions<HasTokenStore extends boolean = boolean, Mode extends Or = Or> = {
  /** Default `return-null`. */
  readonly or?: Mode | undefined;
} & (HasTokenStore extends false
  ? { readonly tokenStore: TokenStoreInit }
  : { /** Takes precedence over the app's. */ readonly tokenStore?: TokenStoreInit | undefined });

/** The values of `or` with which the result is never null. */
export type RequiringOr = 'redirect' | 'throw' | 'anonymous';

/** Asks who is signed in. */
export interface GetCurrentUser<User, HasTokenStore extends boolean> {
  /**
   * The signed-in user. `redirect` goes to the sign-in page, `throw` fails when there is none, `anonymous` creates an
   * anonymous user: in a server component of Next.js, which cannot set cookies, another one at each call.
   *
   * @example
   * const user = await app.getUser({ or: 'redirect' });
   */
  (options: GetUserOptions<HasTokenStore, RequiringOr> & { readonly or: RequiringOr }): Promise<User>;
  /**
   * The signed-in user, or null.
   *
   * @example
   * const user = await app.getUser();
   */
  (
    ...options: HasTokenStore extends false ? [GetUserOptions<false>] : [GetUserOptions<HasTokenStore>?]
  ): Promise<User | null>;
}

/** Which user a reader is about. */
export interface WhichUser {
  readonly tokenStore?: TokenStoreInit | undefined;
  readonly includeAnonymous?: boolean | undefined;
}

/** The users of sessions: fetched as JSON, kept as objects. */
export interface CurrentUsers<User, Json> {
  /** The user of a session; null when no user is signed in. */
  entry(session: Session): Entry<User | null>;
  fromJson(json: Json, session: Session): Promise<User>;
  /** Sends a change and stores the user of its response. Changes of one session are sent one after the other. */
  update(session: Session, send: () => Promise<Json>): Promise<void>;
}

/** Observing who is signed in, for code outside React. */
export interface UserObservation<User> {
  /**
   * Calls the listener with the signed-in user, or null, now if it is known and whenever it changes: after a sign-in or
   * a sign-out in any tab, and after an update or a new read in this one. An anonymous user counts as null.
   *
   * @returns the undo.
   * @example
   * const stop = app.onUserChange(user => console.log(user?.displayName ?? 'signed out'));
   */
  onUserChange(listener: (user: User | null) => void): () => void;
  /**
   * The signed-in user to read at any time and to observe, for frameworks with signals or refs: Vue, Solid, Angular. The
   * listener gets no value; a store of Svelte is made of `onUserChange`.
   *
   * @example
   * const name = app.user.get()?.displayName;
   */
  readonly user: {
    /** The signed-in user, or null; undefined until it is known. */
    get(): User | null | undefined;
    /** Calls the listener after each change, and keeps the user up to date until the undo. @returns the undo. */
    subscribe(listener: () => void): () => void;
  };
}

/** What the signed-in user adds to an app. */
export interface CurrentUserFeature<User, Json> {
  readonly methods: { readonly getUser: (options?: GetUserOptions) => Promise<User | null> } & UserObservation<User>;
  readonly internals: {
    readonly user: (which?: WhichUser) => Reader<User | null>;
    readonly setCurrentUser: (json: Promise<Json | null>) => Promise<void>;
    readonly signUpAnonymously: () => Promise<void>;
  };
}

export function currentUserFeature<User extends Person, Json extends HasId>(
  ctx: Context<'client'>,
  users: CurrentUsers<User, Json>,
): CurrentUserFeature<User, Json> {
  const { sessions } = ctx;

  async function setCurrentUser(json: Promise<Json | null>): Promise<void> {
    const store = sessions.store();
    const session = sessions.current(store);
    const entry = users.entry(session);

    // A session in httpOnly cookies has no tokens here either. It differs from an ended one: the store never had tokens.
    const isOwn = (user: Json | null) =>
      session.isKnownInvalid
        ? user === null || !sessions.hadTokens(store)
        : session.userId === undefined || session.userId === user?.id;
    const own = async (user: Json | null) =>
      isOwn(user) ? user && users.fromJson(user, session) : orThrow(await entry.refresh());
    await entry.store(json.then(own));
  }

  const readers = userReaders(ctx, users);
  return {
    methods: { getUser: getUser(ctx, users), ...observation(() => readers()) },
    internals: {
      user: readers,
      setCurrentUser,
      signUpAnonymously: async () => signUpAnonymously(ctx, await sessions.open()),
    },
  };
}

async function signUpAnonymously(ctx: Context<'client'>, store: TokenStore): Promise<void> {
  return (await import('../../sign-in/anonymous.ts')).signUpAnonymously(ctx, store);
}

function observation<User>(reader: () => Reader<User | null>): UserObservation<User> {
  const get = () => {
    const result = reader().peek();
    return result?.status === 'ok' ? result.data : undefined;
  };
  const subscribe = (listener: () => void) => reader().subscribe(listener);
  return {
    user: { get, subscribe },
    onUserChange(listener) {
      let last: User | null | undefined;
      const notify = () => {
        const user = get();
        // Undefined while the user is loading and after a failed request. The last known user stays valid.
        if (user === undefined || user === last) return;
        last = user;
        listener(user);
      };
      const undo = subscribe(notify);
      notify();
      return undo;
    },
  };
}

interface Person {
  readonly isAnonymous: boolean;
}

type Entries<User> = Pick<CurrentUsers<User, never>, 'entry'>;

function getUser<User extends Person>(
  ctx: Context<'client'>,
  users: Entries<User>,
): (options?: GetUserOptions) => Promise<User | null> {
  const { config, sessions, navigation } = ctx;

  async function readUser(store: TokenStore): Promise<User | null> {
    const session = sessions.current(store);
    const found = await users.entry(session).refresh();
    if (found.status === 'ok') return found.data;
    // A sign-in in another tab has replaced the session during the request: read the user of the new session. Compared
    // in one store, because a pair of tokens gives a new store, and so a new session, at every call.
    return sessions.current(store) === session ? orThrow(found) : readUser(store);
  }

  return async ({ or = 'return-null', tokenStore } = {}) => {
    const store = await sessions.open(tokenStore);
    const user = withoutAnonymous(await readUser(store), or.startsWith('anonymous'));
    if (user !== null) return user;
    if (or === 'throw') throw (await import('./not-signed-in.ts')).notSignedIn('getUser');
    if (or === 'redirect') await navigation.toPage('signIn', { replace: true });
    if (or !== 'anonymous') return null;
    // Read from the store that was written: a store of tokens or of a request of Next.js is a new one at each call.
    const own = config.tokenStore === null ? store : await sessions.open();
    await signUpAnonymously(ctx, own);
    return readUser(own);
  };
}

/** Creates readers of the signed-in user. A reader follows sign-in and sign-out. */
function userReaders<User extends Person>(
  ctx: Context<'client'>,
  users: Entries<User>,
): (which?: WhichUser) => Reader<User | null> {
  const readers = new KeyMap<Reader<User | null>>();
  return ({ tokenStore, includeAnonymous = false } = {}) =>
    readers.get([keyOf(tokenStore), includeAnonymous], () =>
      createUserReader(ctx, users, { tokenStore, includeAnonymous }),
    );
}

/**
 * The key of a token store in the map of readers. A pair of tokens becomes a text, because a component passes a new object
 * at each render. Undefined (the store of the app) and null (no store) become different texts.
 */
function keyOf(tokenStore: TokenStoreInit | undefined): unknown {
  const isStore = typeof tokenStore === 'object' && tokenStore !== null && !('accessToken' in tokenStore);
  return isStore ? tokenStore : String(JSON.stringify(tokenStore));
}

function createUserReader<User extends Person>(
  { sessions }: Context<'client'>,
  users: Entries<User>,
  { tokenStore, includeAnonymous = false }: WhichUser,
): Reader<User | null> {
  let opened: TokenStore | undefined;
  // At the first look, not before: while a page is rendered on a server there may be no store yet.
  const store = () => {
    opened ??= sessions.store(tokenStore);
    return opened;
  };
  const entry = () => users.entry(sessions.current(store()));
  const noUser: Result<null> = { status: 'ok', data: null };
  const hideAnonymous = (result: Result<User | null>): Result<User | null> =>
    result.status === 'ok' && withoutAnonymous(result.data, includeAnonymous) === null ? noUser : result;

  return {
    peek() {
      const result = entry().peek();
      return result && hideAnonymous(result);
    },
    promise: () => entry().promise(),
    refresh: async () => hideAnonymous(await entry().refresh()),
    forgetFailure: () => entry().forgetFailure(),
    subscribe(listener) {
      let watched = entry();
      let undoEntry = watched.subscribe(listener);
      const undoStore = store().subscribe(() => {
        const next = entry();
        if (next === watched) return;
        undoEntry();
        watched = next;
        undoEntry = next.subscribe(listener);
        listener();
      });
      return () => {
        undoStore();
        undoEntry();
      };
    },
  };
}

function withoutAnonymous<User extends Person>(user: User | null, includeAnonymous: boolean): User | null {
  return user?.isAnonymous && !includeAnonymous ? null : user;
}
