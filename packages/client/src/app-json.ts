import type { AnyAppOptions, Config } from './config.ts';
import { resolveBaseUrl } from './config.ts';
import { defect } from './defect.ts';
import type { ClientAppOptions } from './options.ts';
import type { HandlerUrls } from './urls.ts';

/** A client app as plain data. */
export interface ClientAppJson {
  readonly baseUrl: string | { readonly browser: string; readonly server: string };
  readonly projectId: string;
  readonly publishableClientKey: string;
  readonly tokenStore: 'cookie' | 'memory' | null;
  readonly urls: Partial<HandlerUrls>;
  readonly oauthScopesOnSignIn: Readonly<Record<string, readonly string[]>>;
  readonly uniqueIdentifier: string;
  readonly redirectMethod: 'window' | 'none';
  readonly extraRequestHeaders: Readonly<Record<string, string>>;
}

interface Known {
  readonly app: object;
  /** The JSON that the app was made of, if it was. */
  readonly text?: string;
}

/** All apps of this process that are known by an identifier. */
const apps = new Map<string, Known>();
const identifiers = new WeakMap<object, string>();

/** An app as plain data, without tokens and without keys of a server. */
export function appToJson(app: object, options: AnyAppOptions, config: Config): ClientAppJson {
  const { publishableClientKey, redirectMethod, tokenStore } = config;
  if (publishableClientKey === undefined) throw new TypeError('An app with projectOwnerSession cannot be serialised.');
  if (typeof redirectMethod !== 'string')
    throw new TypeError('An app whose redirectMethod is an object cannot be serialised.');
  if (typeof tokenStore === 'object' && tokenStore !== null) {
    throw new TypeError('An app whose tokenStore is an object cannot be serialised: tokens do not belong into a page.');
  }
  return {
    baseUrl: options.baseUrl ?? {
      browser: resolveBaseUrl(undefined, 'browser'),
      server: resolveBaseUrl(undefined, 'server'),
    },
    projectId: config.projectId,
    publishableClientKey,
    tokenStore,
    urls: options.urls ?? {},
    oauthScopesOnSignIn: options.oauthScopesOnSignIn ?? {},
    uniqueIdentifier: identifierOf(app),
    redirectMethod,
    extraRequestHeaders: config.extraRequestHeaders,
  };
}

/** The app that is known by the identifier, else a new one. */
export function appFromJson<App extends object>(json: ClientAppJson, make: (options: ClientAppOptions) => App): App {
  const { uniqueIdentifier, ...options } = json;
  const text = JSON.stringify(json);
  const known = apps.get(uniqueIdentifier);
  if (known?.text !== undefined && known.text !== text) {
    throw defect(`There is another app with the identifier ${uniqueIdentifier}, made of other JSON.`);
  }
  // Registered by the same function, which was given apps of one kind only.
  if (known) return known.app as App;
  const app = make(options);
  register(uniqueIdentifier, { app, text });
  return app;
}

/** Made at first need: some edge runtimes forbid randomness while they start. */
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
