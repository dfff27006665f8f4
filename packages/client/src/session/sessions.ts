import type { RequestLike, TokenStoreInit, Tokens } from '../options.ts';
import type { Page } from '../platform/platform.ts';
import { Session } from './session.ts';
import { createCookieStore } from './stores/cookie-store.ts';
import { tokensOfRequest } from './stores/request-store.ts';
import { createMemoryStore, type TokenStore } from './stores/store.ts';
import { noTokens, sessionKey } from './tokens.ts';

/** The token stores of an app, and the sessions in them. */
export interface Sessions {
  /**
   * The store that was named, else the app's. Stores of pages, apps and requests are the same at every call.
   *
   * @throws when neither names one.
   */
  store(init?: TokenStoreInit): TokenStore;
  /** The session that a store holds now: the same object for as long as it lasts. */
  current(store: TokenStore): Session;
  /** The session of the store that was named, else of the app's. */
  of(init?: TokenStoreInit): Session;
}

interface SessionsMeans {
  readonly tokenStore: TokenStoreInit;
  readonly projectId: string;
  readonly page: Page | undefined;
  readonly now: () => number;
  /** Gets a new access token for the refresh token of a store; null when the session has ended. */
  readonly refresh: (refreshToken: string, store: TokenStore, lastAccessToken: string | null) => Promise<string | null>;
}

export function createSessions(means: SessionsMeans): Sessions {
  const open = createStoreOpener(means);
  // Weak by store, so that what belongs to a request goes with it.
  const sessions = new WeakMap<TokenStore, Map<string, Session>>();

  function store(init: TokenStoreInit | undefined): TokenStore {
    if (init === undefined && means.tokenStore === null) {
      throw new Error('This call needs a token store: give the app a tokenStore that is not null, or name one here.');
    }
    return open(init === undefined ? means.tokenStore : init);
  }

  function current(store: TokenStore): Session {
    const tokens = store.get();
    const inStore = sessions.get(store) ?? new Map<string, Session>();
    sessions.set(store, inStore);
    const known = inStore.get(sessionKey(tokens));
    if (known !== undefined) {
      if (tokens.accessToken !== null) known.adopt(tokens.accessToken);
      return known;
    }
    const session = bind(tokens, store, means);
    inStore.set(session.key, session);
    return session;
  }

  return { store, current, of: init => current(store(init)) };
}

/** A session whose tokens are written into its store, for as long as the store still holds this session. */
function bind(tokens: Tokens, store: TokenStore, means: SessionsMeans): Session {
  const session = new Session(tokens, {
    now: means.now,
    refresh: (refreshToken, lastAccessToken) => means.refresh(refreshToken, store, lastAccessToken),
  });
  session.onChange(() => {
    if (sessionKey(store.get()) === session.key) store.set(session.tokens);
  });
  return session;
}

function createStoreOpener({ projectId, page }: SessionsMeans): (init: TokenStoreInit) => TokenStore {
  const requests = new WeakMap<RequestLike, TokenStore>();
  let cookieStore: TokenStore | undefined;
  let memoryStore: TokenStore | undefined;

  function storeOfRequest(request: RequestLike): TokenStore {
    const store = requests.get(request) ?? createMemoryStore(tokensOfRequest(request, projectId));
    requests.set(request, store);
    return store;
  }

  return init => {
    if (init === null) return createMemoryStore(noTokens);
    if (init === 'memory') {
      memoryStore ??= createMemoryStore(noTokens);
      return memoryStore;
    }
    if (init === 'cookie') {
      if (!page) throw new Error("The token store 'cookie' cannot be used on a server. Give it the request instead.");
      cookieStore ??= createCookieStore(page, projectId);
      return cookieStore;
    }
    if (isRequest(init)) return storeOfRequest(init);
    if (isTokens(init)) return createMemoryStore({ accessToken: init.accessToken, refreshToken: init.refreshToken });
    throw new TypeError("A token store is 'cookie', 'memory', a request, a pair of tokens or null.");
  };
}

function isRequest(init: object): init is RequestLike {
  return 'headers' in init && typeof (init.headers as { get?: unknown } | null)?.get === 'function';
}

function isTokens(init: unknown): init is Tokens {
  return typeof init === 'object' && init !== null && 'accessToken' in init && 'refreshToken' in init;
}
