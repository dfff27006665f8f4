import type { Config } from '../app/config/config.ts';
import type { RequestCookies, RequestLike, TokenStoreAdapter, TokenStoreInit } from '../app/config/options.ts';
import type { Page } from '../platform/platform.ts';
import type { Refresh } from './refresh.ts';
import { Session } from './session.ts';
import { createCookieStore } from './stores/cookie-store.ts';
import type { CookieScope } from './stores/cookies.ts';
import { createAdapterStore, createMemoryStore, type TokenStore } from './stores/store.ts';
import type { Tokens } from './tokens.ts';
import { noTokens } from './tokens.ts';

/** The token stores of an app, and the sessions in them. */
export interface Sessions {
  /**
   * The store that was named, else the app's. Stores of pages, apps and requests are the same at every call.
   *
   * @throws when neither names one, or when it has to be opened.
   */
  store(init?: TokenStoreInit): TokenStore;
  /** Like `store`, also for stores whose tokens are read asynchronously. */
  open(init?: TokenStoreInit): Promise<TokenStore>;
  /** The session that a store holds now: the same object for as long as it lasts. */
  current(store: TokenStore): Session;
  /** Whether a store has held tokens since it was opened. */
  hadTokens(store: TokenStore): boolean;
  /** The session of the store that was named, else of the app's. */
  of(init?: TokenStoreInit): Promise<Session>;
}

/** A program that signs in again and again leaves a session behind each time. */
const keptSessions = 20;

interface SessionsDeps {
  readonly config: Pick<Config, 'tokenStore' | 'projectId' | 'cookieDomain' | 'next'>;
  readonly page: Page | undefined;
  readonly now: () => number;
  readonly refresh: Refresh;
}

/** Control 41: a sign-in or sign-out in one tab reaches the others. */
export function createSessions(deps: SessionsDeps): Sessions {
  const { config, page } = deps;
  const storeOf = createStoreOpener(config, page);
  // Weak keys: the sessions of a request are collected together with its store.
  const sessions = new WeakMap<TokenStore, Session[]>();
  const requests = new WeakMap<RequestLike | RequestCookies, TokenStore>();

  function resolveInit(init: TokenStoreInit | undefined): TokenStoreInit {
    if (init === undefined && config.tokenStore === null) {
      throw new Error('The app has no token store. Set one there or in the call.');
    }
    return init === undefined ? config.tokenStore : init;
  }

  async function open(init?: TokenStoreInit): Promise<TokenStore> {
    const wanted = resolveInit(init);
    if (isRequest(wanted)) return storeOfRequest(wanted);
    if (wanted !== 'nextjs-cookie' || page) return storeOf(wanted);
    const { createNextStore } = await import('./stores/next-store.ts');
    return createNextStore(config);
  }

  /** Requests are for servers; browsers are spared the code. */
  async function storeOfRequest(request: RequestLike | RequestCookies): Promise<TokenStore> {
    const { createRequestStore } = await import('./stores/request-store.ts');
    const store = requests.get(request) ?? createRequestStore(request, config);
    requests.set(request, store);
    return store;
  }

  function current(store: TokenStore): Session {
    const tokens = store.get();
    const known = sessions.get(store) ?? [];
    // The last one first: two may turn out to be the same session, and listeners must not alternate between them.
    const found = known.find(session => session.covers(tokens)) ?? bind(tokens, store, deps);
    found.adopt(tokens);
    if (found !== known[0]) {
      sessions.set(store, [found, ...known.filter(session => session !== found)].slice(0, keptSessions));
    }
    return found;
  }

  return {
    store: init => storeOf(resolveInit(init)),
    open,
    current,
    hadTokens: store => sessions.get(store)?.some(session => !session.covers(noTokens)) === true,
    of: async init => current(await open(init)),
  };
}

/** A session whose tokens are written into its store, for as long as the store still holds this session. */
function bind(tokens: Tokens, store: TokenStore, deps: SessionsDeps): Session {
  const session = new Session(tokens, {
    now: deps.now,
    refresh: (own, acceptTokens) => deps.refresh(own, store, acceptTokens),
  });
  session.onChange(() => {
    if (session.covers(store.get())) store.set(session.tokens);
  });
  return session;
}

function createStoreOpener(scope: CookieScope, page: Page | undefined): (init: TokenStoreInit) => TokenStore {
  let cookieStore: TokenStore | undefined;
  let memoryStore: TokenStore | undefined;
  const adapted = new WeakMap<TokenStoreAdapter, TokenStore>();

  return init => {
    if (init === null) return createMemoryStore(noTokens);
    if (init === 'memory') {
      memoryStore ??= createMemoryStore(noTokens);
      return memoryStore;
    }
    if (init === 'cookie' || init === 'nextjs-cookie') {
      if (!page) {
        throw new Error(
          `The token store '${init}' requires a browser. On a server use getUser({ tokenStore: request }), or 'nextjs-cookie'.`,
        );
      }
      cookieStore ??= createCookieStore(page, scope);
      return cookieStore;
    }
    if (typeof init === 'object' && 'accessToken' in init) {
      return createMemoryStore({ accessToken: init.accessToken, refreshToken: init.refreshToken });
    }
    if (typeof init === 'object' && 'get' in init && 'set' in init) {
      const store = adapted.get(init) ?? createAdapterStore(init);
      adapted.set(init, store);
      return store;
    }
    throw new TypeError('tokenStore must be cookie, memory, tokens or a store. Only getUser takes a request.');
  };
}

function isRequest(init: TokenStoreInit): init is RequestLike | RequestCookies {
  return typeof init === 'object' && init !== null && ('headers' in init || 'cookies' in init);
}
