import { apiPath, retryBudgetDefaultMs } from '@tessera/protocol/limits';
import type { JsonWebKeySet } from '../../authentication/public-keys.ts';
import { type HandlerUrls, resolveUrls } from '../../navigation/urls.ts';
import type { Session } from '../../session/session.ts';
import type { NextFunctions } from '../rendering/next-functions.ts';
import {
  apiUrlVariables,
  extraRequestHeadersVariables,
  namesOf,
  projectIdVariables,
  publishableClientKeyVariables,
  readVariable,
  type Variables,
} from './env.ts';
import type { ClientAppOptions, RedirectMethod, TokenStoreInit } from './options.ts';

/** Options of an app of any level. */
export interface AnyAppOptions extends ClientAppOptions {
  readonly secretServerKey?: string;
  readonly superSecretAdminKey?: string;
  readonly projectOwnerSession?: Session;
  readonly jwks?: JsonWebKeySet;
}

/** Keys for servers only. */
export interface ServerKeys {
  readonly secretServerKey?: string;
  readonly superSecretAdminKey?: string;
}

/** The complete settings of an app. */
export interface Config extends ServerKeys {
  readonly projectId: string;
  readonly publishableClientKey: string | undefined;
  readonly projectOwnerSession: Session | undefined;
  /** The base URL for this side. */
  readonly baseUrl: string;
  /** The base URL with `/api/v1`, without a trailing slash. */
  readonly apiUrl: string;
  readonly extraRequestHeaders: Readonly<Record<string, string>>;
  readonly retryBudgetMs: number;
  readonly tokenStore: TokenStoreInit;
  readonly cookieDomain: string | undefined;
  readonly urls: HandlerUrls;
  readonly redirectMethod: RedirectMethod;
  readonly oauthScopesOnSignIn: Readonly<Record<string, readonly string[] | undefined>>;
  readonly next: NextFunctions | undefined;
  /** Public keys that need no request. */
  readonly jwks: JsonWebKeySet | undefined;
}

type Side = 'browser' | 'server';

/**
 * Completes options from the environment.
 *
 * @throws when an option is missing, and TypeError when one has the value of another; the error names the option.
 */
export function resolveConfig(
  options: AnyAppOptions,
  side: Side,
  keysOf: (options: AnyAppOptions) => ServerKeys = () => ({}),
): Config {
  const baseUrl = resolveBaseUrl(options.baseUrl, side);
  const isOwners = options.projectOwnerSession !== undefined;
  return {
    projectId: options.projectId || requireVariable(projectIdVariables, 'projectId', namesOf('PROJECT_ID')),
    publishableClientKey: isOwners ? undefined : resolvePublishableKey(options.publishableClientKey),
    ...keysOf(options),
    projectOwnerSession: options.projectOwnerSession,
    baseUrl,
    apiUrl: baseUrl + apiPath,
    extraRequestHeaders: options.extraRequestHeaders ?? headersFromEnvironment(),
    retryBudgetMs: options.retryBudgetMs ?? retryBudgetDefaultMs,
    tokenStore: options.tokenStore,
    cookieDomain: options.cookieDomain,
    urls: resolveUrls(options.urls),
    redirectMethod: options.redirectMethod ?? (options.nextjs ? 'nextjs' : 'none'),
    oauthScopesOnSignIn: options.oauthScopesOnSignIn ?? {},
    next: options.nextjs,
    jwks: options.jwks,
  };
}

/** The base URL for one side, without a trailing slash. */
export function resolveBaseUrl(given: ClientAppOptions['baseUrl'], side: Side): string {
  const own = typeof given === 'object' ? given[side] : given;
  const url = (own || requireVariable(apiUrlVariables[side], 'baseUrl', namesOf('API_URL'))).replace(/\/$/, '');
  if (!/^https?:\/\//.test(url) || url.endsWith(apiPath)) {
    throw new TypeError(`baseUrl must be like https://auth.example.com, not "${url}".`);
  }
  return url;
}

/** A secret key that would reach browsers is refused before it is sent. The error does not quote it. */
function resolvePublishableKey(given: string | undefined): string {
  const key =
    given ?? requireVariable(publishableClientKeyVariables, 'publishableClientKey', namesOf('PUBLISHABLE_CLIENT_KEY'));
  if (/^(ssk|sak)_/.test(key)) {
    throw new TypeError('publishableClientKey is a secret key. Use the one with pck_.');
  }
  return key;
}

/** @throws when no variable is set; the error names ours. */
export function requireVariable(variables: Variables, option: string, names: string): string {
  const value = readVariable(variables);
  // Our quickstarts have an ellipsis where a value belongs. In a header it would fail each request with an unrelated error.
  if (value && !value.endsWith('…')) return value;
  throw new Error(`The app has no ${option}. Pass it to the constructor, or set ${names}.`);
}

function headersFromEnvironment(): Record<string, string> {
  const text = readVariable(extraRequestHeadersVariables);
  if (text === undefined) return {};
  try {
    return Object.fromEntries(new Headers(JSON.parse(text)));
  } catch {
    // The parser's error quotes the text, which may hold a credential.
    throw new TypeError('EXTRA_REQUEST_HEADERS must be a JSON object of headers.');
  }
}
