import type { Reader } from '../cache/reader.ts';
import type { Context } from '../context.ts';
import type { TokenStoreInit } from '../options.ts';
import { orThrow, type Result } from '../result.ts';
import type { CurrentUsers } from './current-user.ts';
import { type EmailVerificationMethods, emailVerification } from './email-verification.ts';

/** What to do when nobody is signed in. An anonymous user counts as nobody unless the mode says otherwise. */
export type Or = 'return-null' | 'redirect' | 'throw' | 'anonymous-if-exists';

/** Options of `getUser`. */
export type GetUserOptions<HasTokenStore extends boolean = boolean, Mode extends Or = Or> = {
  /** Default `return-null`. */
  readonly or?: Mode;
} & (HasTokenStore extends false
  ? { readonly tokenStore: TokenStoreInit }
  : { /** Takes precedence over the app's. */ readonly tokenStore?: TokenStoreInit });

/** Modes that do not answer null. */
type Insisting = 'redirect' | 'throw';

/** Asks who is signed in. */
export interface GetCurrentUser<User, HasTokenStore extends boolean> {
  /** The signed-in user. `redirect` goes to the sign-in page, `throw` fails when there is none. */
  (options: GetUserOptions<HasTokenStore, Insisting> & { readonly or: Insisting }): Promise<User>;
  /** The signed-in user, or null. */
  (
    ...options: HasTokenStore extends false ? [GetUserOptions<false>] : [GetUserOptions<HasTokenStore>?]
  ): Promise<User | null>;
}

/** Which user a reader is about. */
export interface WhichUser {
  readonly tokenStore?: TokenStoreInit;
  readonly includeAnonymous?: boolean;
}

/** What `getUser` and `useUser` fail with in the mode `throw`. */
export function notSignedIn(caller: 'getUser' | 'useUser'): Error {
  return new Error(`User is not signed in, but ${caller}({ or: 'throw' }) was called.`);
}

/** What the signed-in user adds to an app. */
export interface UserPart<User, Json> {
  readonly methods: EmailVerificationMethods & {
    readonly getUser: (options?: GetUserOptions) => Promise<User | null>;
  };
  readonly internals: {
    readonly user: (which?: WhichUser) => Reader<User | null>;
    readonly setCurrentUser: (json: Promise<Json | null>) => void;
  };
}

export function userPart<User extends Person, Json>(
  ctx: Context<'client'>,
  users: CurrentUsers<User, Json>,
): UserPart<User, Json> {
  function setCurrentUser(json: Promise<Json | null>): void {
    const session = ctx.sessions.of();
    void users.entry(session).store(json.then(user => user && users.fromJson(user, session)));
  }

  const verification = emailVerification(ctx, session => users.entry(session).refresh());
  return {
    methods: { getUser: getUser(ctx, users), ...verification.methods },
    internals: { user: userReaders(ctx, users), setCurrentUser },
  };
}

interface Person {
  readonly isAnonymous: boolean;
}

function getUser<User extends Person>(
  ctx: Context<'client'>,
  users: Pick<CurrentUsers<User, never>, 'entry'>,
): (options?: GetUserOptions) => Promise<User | null> {
  return async ({ or = 'return-null', tokenStore } = {}) => {
    const found = await users.entry(ctx.sessions.of(tokenStore)).refresh();
    const user = visible(orThrow(found), or === 'anonymous-if-exists');
    if (user !== null) return user;
    if (or === 'throw') throw notSignedIn('getUser');
    if (or === 'redirect') await ctx.navigation.toPage('signIn', { replace: true });
    return null;
  };
}

/** Readers of whoever is signed in, now and later. */
function userReaders<User extends Person>(
  ctx: Context<'client'>,
  users: Pick<CurrentUsers<User, never>, 'entry'>,
): (which?: WhichUser) => Reader<User | null> {
  const known = { all: new WeakMap<object, Reader<User | null>>(), real: new WeakMap<object, Reader<User | null>>() };

  return ({ tokenStore, includeAnonymous = false } = {}) => {
    const readers = includeAnonymous ? known.all : known.real;
    // Given tokens make a store of their own at each call: there the object that was given tells readers apart.
    const key = typeof tokenStore === 'object' && tokenStore !== null ? tokenStore : ctx.sessions.store(tokenStore);
    const reader = readers.get(key) ?? readUser(ctx, users, { tokenStore, includeAnonymous });
    readers.set(key, reader);
    return reader;
  };
}

function readUser<User extends Person>(
  { sessions }: Context<'client'>,
  users: Pick<CurrentUsers<User, never>, 'entry'>,
  { tokenStore, includeAnonymous = false }: WhichUser,
): Reader<User | null> {
  const store = sessions.store(tokenStore);
  const entry = () => users.entry(sessions.current(store));
  const nobody: Result<null> = { status: 'ok', data: null };
  const shown = (result: Result<User | null>): Result<User | null> =>
    result.status === 'ok' && visible(result.data, includeAnonymous) === null ? nobody : result;

  return {
    peek() {
      const result = entry().peek();
      return result && shown(result);
    },
    promise: () => entry().promise(),
    refresh: async () => shown(await entry().refresh()),
    subscribe(listener) {
      let watched = entry();
      let undoEntry = watched.subscribe(listener);
      const undoStore = store.subscribe(() => {
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

function visible<User extends Person>(user: User | null, includeAnonymous: boolean): User | null {
  return user?.isAnonymous && !includeAnonymous ? null : user;
}
