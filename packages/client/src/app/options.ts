import type { HandlerUrls } from '../navigation/urls.ts';
import type { Session } from '../session/session.ts';
import type { NextFunctions } from './next-functions.ts';

/** A pair of tokens. Without a refresh token the session ends with its access token. */
export interface Tokens {
  /** Valid for minutes; sent with requests. Null: none. */
  readonly accessToken: string | null;
  /** Gets new access tokens until the session ends. Null: none. */
  readonly refreshToken: string | null;
}

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
 * Where the tokens of the signed-in user are kept.
 *
 * - `cookie`: cookies of the browser, shared by all tabs. Not available on a server.
 * - `nextjs-cookie`: the same in a browser; on a server the cookies of the current Next.js request. New tokens are
 *   written where Next.js allows it. Requires the option `nextjs` on a server.
 * - `memory`: in the app object.
 * - a request: its `x-stack-auth` header, else its cookies. Nothing is written back.
 * - a pair of tokens, e.g. from `user.getAuthJson()`.
 * - `null`: nowhere; every `getUser` call passes its own token store.
 */
export type TokenStoreInit = 'cookie' | 'nextjs-cookie' | 'memory' | RequestLike | Tokens | null;

/**
 * How redirects are made. `window` uses `location`. An object uses its `navigate`, or `useNavigate` under React.
 * `nextjs` uses the Next.js function on a server and `location` in a browser. `none` makes no redirects.
 */
export type RedirectMethod =
  | 'window'
  | 'nextjs'
  | 'none'
  | { readonly useNavigate: () => (to: string) => void; readonly navigate?: (to: string) => void };

/** Options of `new ClientApp`. Options that are left out are read from the environment at first use. */
export interface ClientAppOptions<Store extends TokenStoreInit = TokenStoreInit, ProjectId extends string = string> {
  /** Where the tokens of the signed-in user are kept. */
  readonly tokenStore: Store;
  /** Default: `NEXT_PUBLIC_TESSERA_PROJECT_ID`, `VITE_TESSERA_PROJECT_ID` or `TESSERA_PROJECT_ID`. */
  readonly projectId?: ProjectId;
  /** Default: `NEXT_PUBLIC_TESSERA_PUBLISHABLE_CLIENT_KEY` and its `VITE_` and bare forms. */
  readonly publishableClientKey?: string;
  /**
   * Base URL of the server, without `/api/v1`; one per side when browsers and servers use different URLs.
   * Default: `NEXT_PUBLIC_TESSERA_API_URL` and its `VITE_` and bare forms. There is no fallback URL.
   */
  readonly baseUrl?: string | { readonly browser: string; readonly server: string };
  /** Headers of every request; they override the SDK's own. Default: JSON from `NEXT_PUBLIC_TESSERA_EXTRA_REQUEST_HEADERS`. */
  readonly extraRequestHeaders?: Readonly<Record<string, string>>;
  /**
   * The time in milliseconds that all retries of one request may take. 0: no retries. Default 10000.
   *
   * The SDK retries a request that found no connection, 429, and 503 with Retry-After. It retries a write only on a
   * server that recognises a repeated write by its idempotency key.
   */
  readonly retryBudgetMs?: number;
  /** The page addresses to override. */
  readonly urls?: Partial<HandlerUrls>;
  /** OAuth scopes to request at sign-in, by provider id. */
  readonly oauthScopesOnSignIn?: Readonly<Record<string, readonly string[]>>;
  /** Default: `nextjs` when the option `nextjs` is set, else `none`. */
  readonly redirectMethod?: RedirectMethod;
  /**
   * Functions of Next.js, for its servers: `{ cookies, headers, redirect }` of `next/headers` and `next/navigation`.
   * They are passed in, so that the SDK depends on no framework.
   */
  readonly nextjs?: NextFunctions;
  /** Accepted for compatibility and ignored. */
  readonly noAutomaticPrefetch?: boolean;
}

/** Options of `new ServerApp`. */
export interface ServerAppOptions<Store extends TokenStoreInit = TokenStoreInit, ProjectId extends string = string>
  extends ClientAppOptions<Store, ProjectId> {
  /** Default: `TESSERA_SECRET_SERVER_KEY`. */
  readonly secretServerKey?: string;
}

interface AdminKeys<Store extends TokenStoreInit, ProjectId extends string> extends ServerAppOptions<Store, ProjectId> {
  /** Default: `TESSERA_SUPER_SECRET_ADMIN_KEY`. */
  readonly superSecretAdminKey?: string;
  readonly projectOwnerSession?: undefined;
}

interface OwnerSession<Store extends TokenStoreInit, ProjectId extends string>
  extends ClientAppOptions<Store, ProjectId> {
  /** Session of a user of the project `internal` who owns this project. It replaces all keys. */
  readonly projectOwnerSession: Session;
  readonly publishableClientKey?: undefined;
  readonly secretServerKey?: undefined;
  readonly superSecretAdminKey?: undefined;
}

/** Options of `new AdminApp`: keys, or the session of the project's owner. */
export type AdminAppOptions<Store extends TokenStoreInit = TokenStoreInit, ProjectId extends string = string> =
  | AdminKeys<Store, ProjectId>
  | OwnerSession<Store, ProjectId>;
