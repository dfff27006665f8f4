import type { HandlerUrls } from '../navigation/urls.ts';
import type { Session } from '../session/session.ts';
import type { NextFunctions } from './next-functions.ts';

/** A pair of tokens. Without a refresh token a session ends with its access token. */
export interface Tokens {
  /** Lives for minutes, and is sent with requests. Null: not there. */
  readonly accessToken: string | null;
  /** Gets new access tokens for as long as the session lasts. Null: not there. */
  readonly refreshToken: string | null;
}

/**
 * A request of any framework: what matters is that its headers can be read by lower-case name, as those of a Fetch
 * `Request`, of Next.js (`{ headers: await headers() }`), and of Node and Express (a plain object).
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
 * - `cookie`: in the browser's cookies, shared by all tabs. Not on a server.
 * - `nextjs-cookie`: the same in a browser; on a server the cookies of the request that Next.js is answering, written
 *   back where Next.js lets them be written. Needs the option `nextjs` there.
 * - `memory`: in the app object, until it is gone.
 * - a request: read from its `x-stack-auth` header, else from its cookies. Nothing is written back.
 * - a pair of tokens: these, e.g. from `user.getAuthJson()`.
 * - `null`: nowhere; every `getUser` then names its own token store.
 */
export type TokenStoreInit = 'cookie' | 'nextjs-cookie' | 'memory' | RequestLike | Tokens | null;

/**
 * How redirects are made. `window` goes through the page's location, an object through its `navigate` where it has one
 * (`useNavigate` is for React), `nextjs` through Next.js on a server and the page's location in a browser, `none` makes
 * none.
 */
export type RedirectMethod =
  | 'window'
  | 'nextjs'
  | 'none'
  | { readonly useNavigate: () => (to: string) => void; readonly navigate?: (to: string) => void };

/** Options of `new ClientApp`. What is left out is read from the environment at the time it is needed. */
export interface ClientAppOptions<Store extends TokenStoreInit = TokenStoreInit, ProjectId extends string = string> {
  /** Where the tokens of the signed-in user are kept. */
  readonly tokenStore: Store;
  /** Default: `NEXT_PUBLIC_TESSERA_PROJECT_ID`, `VITE_TESSERA_PROJECT_ID` or `TESSERA_PROJECT_ID`. */
  readonly projectId?: ProjectId;
  /** Default: `NEXT_PUBLIC_TESSERA_PUBLISHABLE_CLIENT_KEY` and its `VITE_` and bare forms. */
  readonly publishableClientKey?: string;
  /**
   * Address of the server, without `/api/v1`; one per side where browsers and servers reach it differently.
   * Default: `NEXT_PUBLIC_TESSERA_API_URL` and its `VITE_` and bare forms. There is no address to fall back to.
   */
  readonly baseUrl?: string | { readonly browser: string; readonly server: string };
  /** Sent with every request; they win over the SDK's own. Default: JSON from `NEXT_PUBLIC_TESSERA_EXTRA_REQUEST_HEADERS`. */
  readonly extraRequestHeaders?: Readonly<Record<string, string>>;
  /**
   * The time in milliseconds that all retries of one request may take. 0: no retries. Default 10000.
   *
   * The SDK retries a request that found no connection, 429, and 503 with Retry-After. It retries a write only on a
   * server that recognises a repeated write by its idempotency key.
   */
  readonly retryBudgetMs?: number;
  /** Pages that are not where the handler has them. */
  readonly urls?: Partial<HandlerUrls>;
  /** Scopes to ask a provider for when someone signs in with it. */
  readonly oauthScopesOnSignIn?: Readonly<Record<string, readonly string[]>>;
  /** Default: `nextjs` where the functions of Next.js are given, else `none`. */
  readonly redirectMethod?: RedirectMethod;
  /**
   * Functions of Next.js, for its servers: `{ cookies, headers, redirect }` of `next/headers` and `next/navigation`.
   * They are passed in, so that the SDK depends on no framework.
   */
  readonly nextjs?: NextFunctions;
  /** Accepted for compatibility; nothing is fetched before it is asked for. */
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
  /** Session of a user of the project `internal` who owns this project; takes the place of all keys. */
  readonly projectOwnerSession: Session;
  readonly publishableClientKey?: undefined;
  readonly secretServerKey?: undefined;
  readonly superSecretAdminKey?: undefined;
}

/** Options of `new AdminApp`: keys, or the session of an owner. */
export type AdminAppOptions<Store extends TokenStoreInit = TokenStoreInit, ProjectId extends string = string> =
  | AdminKeys<Store, ProjectId>
  | OwnerSession<Store, ProjectId>;
