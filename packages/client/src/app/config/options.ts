import type { JsonWebKeySet } from '../../authentication/public-keys.ts';
import type { HandlerUrls } from '../../navigation/urls.ts';
import type { Session } from '../../session/session.ts';
import type { Tokens } from '../../session/tokens.ts';
import type { Optional } from '../../util/optional.ts';
import type { NextFunctions } from '../rendering/next-functions.ts';
import type { ProviderName } from './register.ts';

/**
 * A request of any framework with headers by lower-case name: a Fetch `Request`, Next.js
 * (`{ headers: await headers() }`), Node and Express (a plain object).
 */
export interface RequestLike {
  /** The headers, by lower-case name. */
  readonly headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * A token store of your own, e.g. the storage of a browser extension or of a native shell.
 *
 * @example
 * const tokenStore: TokenStoreAdapter = { get: () => readTokens(), set: tokens => writeTokens(tokens) };
 */
export interface TokenStoreAdapter {
  /** The tokens that are stored now; two nulls when there are none. */
  get(): Tokens;
  /** Stores new tokens; two nulls after sign-out. */
  set(tokens: Tokens): void;
  /** Calls the listener when something else has changed the tokens. @returns the undo. */
  subscribe?(listener: () => void): () => void;
}

/** Options with which a cookie is written. */
export interface CookieOptions {
  /** Lifetime in seconds; 0 deletes the cookie. */
  readonly maxAge: number;
  /** Whether browsers send it over https only. */
  readonly secure: boolean;
  /** Whether scripts of the page cannot read it. */
  readonly httpOnly: boolean;
  /** Browsers send the cookie when a link of another site is followed, and not with other requests from there. */
  readonly sameSite: 'lax';
  /** All paths of the site. */
  readonly path: '/';
  /** The domain whose hosts receive it; absent: this host alone. */
  readonly domain?: string | undefined;
}

/**
 * The cookies of one request and its response, in any framework.
 *
 * @example
 * const tokenStore: RequestCookies = { cookies: { getAll: () => parse(request), set: (...cookie) => setCookie(...cookie) } };
 */
export interface RequestCookies {
  /** Reads the cookies of the request, and adds cookies to the response. */
  readonly cookies: {
    /** The cookies of the request. */
    getAll(): readonly { readonly name: string; readonly value: string }[];
    /** Adds a cookie to the response. */
    set(name: string, value: string, options: CookieOptions): unknown;
  };
  /** The domain whose hosts share the session. Default: the `cookieDomain` of the app. */
  readonly domain?: string | undefined;
  /** Whether browsers send the cookies over https only. Default true; false for development without https. */
  readonly secure?: boolean | undefined;
  /**
   * Keeps the session on servers: scripts of the page cannot read the cookies (control 37). With `secure` and without a
   * `domain` their names begin with `__Host-`, and no other cookies are read. Hooks in the browser then find no signed-in
   * user. Default false.
   */
  readonly httpOnly?: boolean | undefined;
}

/**
 * Where the tokens of the signed-in user are kept.
 *
 * - `cookie`: cookies of the browser, shared by all tabs. Not available on a server.
 * - `nextjs-cookie`: the same in a browser; on a server the cookies of the current Next.js request. New tokens are
 *   written where Next.js allows it. Requires the option `nextjs` on a server.
 * - `memory`: in the app object.
 * - a request: its `x-stack-auth` header, else its cookies. Nothing is written back.
 * - a pair of tokens, e.g. from `user.getAuthJson()`.
 * - the cookies of a request and its response: `{ cookies: { getAll, set } }`.
 * - a store of your own: `{ get, set, subscribe? }`.
 * - `null`: nowhere; every `getUser` call passes its own token store.
 */
export type TokenStoreInit =
  | 'cookie'
  | 'nextjs-cookie'
  | 'memory'
  | RequestLike
  | Tokens
  | RequestCookies
  | TokenStoreAdapter
  | null;

/**
 * How redirects are made. `window` uses `location`. An object uses its `navigate`, or `useNavigate` under React; its
 * `replacePage` puts a page in the place of the current one in the history, so that Back does not lead to a sign-in page that
 * redirects again. Without it such a redirect uses `navigate`.
 * `nextjs` uses the Next.js function on a server and `location` in a browser. `none` makes no redirects.
 */
export type RedirectMethod =
  | 'window'
  | 'nextjs'
  | 'none'
  | {
      readonly useNavigate: () => (to: string) => void;
      readonly navigate?: ((to: string) => void) | undefined;
      readonly replacePage?: ((to: string) => void) | undefined;
    };

/** OAuth scopes by provider id. */
export type OAuthScopes = { readonly [Provider in ProviderName]?: readonly string[] };

/** Options of `new ClientApp`. Options that are left out are read from the environment at first use. */
export interface ClientAppOptions<Store extends TokenStoreInit = TokenStoreInit, ProjectId extends string = string> {
  /** Where the tokens of the signed-in user are kept. */
  readonly tokenStore: Store;
  /** Default: `NEXT_PUBLIC_TESSERA_PROJECT_ID`, `VITE_TESSERA_PROJECT_ID` or `TESSERA_PROJECT_ID`. */
  readonly projectId?: ProjectId | undefined;
  /** Default: `NEXT_PUBLIC_TESSERA_PUBLISHABLE_CLIENT_KEY` and its `VITE_` and bare forms. */
  readonly publishableClientKey?: string | undefined;
  /**
   * Base URL of the server, without `/api/v1`; one per side when browsers and servers use different URLs.
   * Default: `NEXT_PUBLIC_TESSERA_API_URL` and its `VITE_` and bare forms. There is no fallback URL.
   */
  readonly baseUrl?: string | { readonly browser: string; readonly server: string } | undefined;
  /** Headers of every request; they override the SDK's own. Default: JSON from `NEXT_PUBLIC_TESSERA_EXTRA_REQUEST_HEADERS`. */
  readonly extraRequestHeaders?: Readonly<Record<string, string>> | undefined;
  /**
   * The domain whose hosts share the session, e.g. `example.com` for `app.example.com` and `admin.example.com`. All
   * cookies with tokens are written for it. Every host of the domain can read and replace them. Default: this host alone.
   */
  readonly cookieDomain?: string | undefined;
  /**
   * The time in milliseconds that all retries of one request may take. 0: no retries. Default 10000. A request is sent
   * five times at most, so its pauses end after 23 seconds, with the ones of Retry-After in addition.
   *
   * The SDK retries a request that found no connection, 429, and 503 with Retry-After. It retries a write only on a
   * server that recognises a repeated write by its idempotency key.
   */
  readonly retryBudgetMs?: number | undefined;
  /** The page addresses to override. */
  readonly urls?: Optional<HandlerUrls> | undefined;
  /** OAuth scopes to request at sign-in, by provider id. */
  readonly oauthScopesOnSignIn?: OAuthScopes | undefined;
  /** Default: `nextjs` when the option `nextjs` is set, else `none`. */
  readonly redirectMethod?: RedirectMethod | undefined;
  /**
   * Functions of Next.js, for its servers: `{ cookies, headers, redirect, connection }` of `next/headers`,
   * `next/navigation` and `next/server`. They are passed in, so that the SDK depends on no framework.
   */
  readonly nextjs?: NextFunctions | undefined;
  /** Accepted for compatibility and ignored. */
  readonly noAutomaticPrefetch?: boolean | undefined;
}

/** Options of `new ServerApp`. */
export interface ServerAppOptions<Store extends TokenStoreInit = TokenStoreInit, ProjectId extends string = string>
  extends ClientAppOptions<Store, ProjectId> {
  /** Default: `TESSERA_SECRET_SERVER_KEY`. */
  readonly secretServerKey?: string | undefined;
  /**
   * The public keys of the project, for a start without the server: the JSON of
   * `{server}/api/v1/projects/{project id}/.well-known/jwks.json`. Default: `authenticate` fetches it. A token of a key
   * that is missing here, after a rotation, makes `authenticate` fetch the current set.
   */
  readonly jwks?: JsonWebKeySet | undefined;
}

interface AdminKeys<Store extends TokenStoreInit, ProjectId extends string> extends ServerAppOptions<Store, ProjectId> {
  /** Default: `TESSERA_SUPER_SECRET_ADMIN_KEY`. */
  readonly superSecretAdminKey?: string | undefined;
  readonly projectOwnerSession?: undefined;
}

/** Options of an app that uses the session of a project owner instead of keys. */
export interface OwnerSessionOptions<Store extends TokenStoreInit = TokenStoreInit, ProjectId extends string = string>
  extends Omit<ClientAppOptions<Store, ProjectId>, 'publishableClientKey'> {
  /** Session of a user of the project `internal` who manages this project. It replaces all keys. */
  readonly projectOwnerSession: Session;
  /** Left out: the session replaces it. */
  readonly publishableClientKey?: undefined;
  /** Left out: the session replaces it. */
  readonly secretServerKey?: undefined;
  /** Left out: the session replaces it. */
  readonly superSecretAdminKey?: undefined;
}

/** Options of `new AdminApp`: keys, or the session of the project's owner. */
export type AdminAppOptions<Store extends TokenStoreInit = TokenStoreInit, ProjectId extends string = string> =
  | AdminKeys<Store, ProjectId>
  | OwnerSessionOptions<Store, ProjectId>;
