import { defect } from '../../errors/defect.ts';
import type { HandlerUrls } from '../../navigation/urls.ts';
import type { Optional } from '../../util/optional.ts';
import { ClientApp } from '../app.ts';
import { resolveBaseUrl } from '../config/config.ts';
import type { OAuthScopes } from '../config/options.ts';
import { contextOf } from '../context-of.ts';

/** A client app as plain data. */
export interface ClientAppJson {
  /** Base URL of the server; one per side when they differ. */
  readonly baseUrl: string | { readonly browser: string; readonly server: string };
  /** Id of the project. */
  readonly projectId: string;
  /** The publishable client key. It is not secret. */
  readonly publishableClientKey: string;
  /** Where the tokens are kept. A store that holds tokens is not serialised. */
  readonly tokenStore: 'cookie' | 'nextjs-cookie' | 'memory' | null;
  /** The domain whose hosts share the session; absent: one host alone. */
  readonly cookieDomain?: string | undefined;
  /** The page addresses that the app overrides. */
  readonly urls: Optional<HandlerUrls>;
  /** OAuth scopes to request, by provider id. */
  readonly oauthScopesOnSignIn: OAuthScopes;
  /** Identifies the app within its process. */
  readonly uniqueIdentifier: string;
  /** How redirects are made. */
  readonly redirectMethod: 'window' | 'nextjs' | 'none';
  /** Headers of every request. */
  readonly extraRequestHeaders: Readonly<Record<string, string>>;
}

interface Known {
  readonly app: object;
  /** The JSON that the app was created from; undefined for another app. */
  readonly text?: string;
}

/** The apps of this process by identifier. */
const apps = new Map<string, Known>();
const identifiers = new WeakMap<object, string>();

/** An app as plain data, without tokens and server keys. @throws when the app cannot be serialised. Control 43. */
export function toClientJson(app: object): ClientAppJson {
  const { config, options } = contextOf(app);
  const { publishableClientKey, redirectMethod, tokenStore, cookieDomain } = config;
  if (publishableClientKey === undefined) throw cannot('projectOwnerSession');
  if (typeof redirectMethod !== 'string') throw cannot('a redirectMethod that is an object');
  // A page must not contain tokens.
  if (typeof tokenStore === 'object' && tokenStore !== null) throw cannot('a tokenStore that is an object');
  return {
    baseUrl: options.baseUrl ?? {
      browser: resolveBaseUrl(undefined, 'browser'),
      server: resolveBaseUrl(undefined, 'server'),
    },
    projectId: config.projectId,
    publishableClientKey,
    tokenStore,
    ...(cookieDomain !== undefined && { cookieDomain }),
    urls: options.urls ?? {},
    oauthScopesOnSignIn: options.oauthScopesOnSignIn ?? {},
    uniqueIdentifier: identifierOf(app),
    redirectMethod,
    extraRequestHeaders: config.extraRequestHeaders,
  };
}

function cannot(what: string): TypeError {
  return new TypeError(`An app with ${what} cannot be serialised.`);
}

/** The app of this process that the JSON came from, else a new equal app. */
export function fromClientJson(json: ClientAppJson): ClientApp {
  const { uniqueIdentifier, ...options } = json;
  const text = JSON.stringify(json);
  const known = apps.get(uniqueIdentifier);
  if (known?.text !== undefined && known.text !== text) {
    throw defect(`There is another app with the identifier ${uniqueIdentifier}, made of other JSON.`);
  }
  // `toClientJson` registers the app and accepts apps only.
  // An app of any level is a client app.
  if (known) return known.app as ClientApp;
  const app = new ClientApp(options);
  register(uniqueIdentifier, { app, text });
  return app;
}

/** Created at first use: some edge runtimes forbid randomness during start-up. */
function identifierOf(app: object): string {
  const known = identifiers.get(app);
  if (known !== undefined) return known;
  const identifier = crypto.randomUUID();
  register(identifier, { app });
  return identifier;
}

function register(identifier: string, known: Known): void {
  if (apps.has(identifier)) throw defect(`Two apps have the identifier ${identifier}.`);
  apps.set(identifier, known);
  identifiers.set(known.app, identifier);
}
