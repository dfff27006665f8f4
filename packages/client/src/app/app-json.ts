import { defect } from '../errors/defect.ts';
import type { HandlerUrls } from '../navigation/urls.ts';
import { ClientApp } from './app.ts';
import { resolveBaseUrl } from './config.ts';
import { contextOf } from './context-of.ts';

/** A client app as plain data. */
export interface ClientAppJson {
  /** Address of the server, one per side where they differ. */
  readonly baseUrl: string | { readonly browser: string; readonly server: string };
  /** Id of the project. */
  readonly projectId: string;
  /** The publishable client key. It is not secret. */
  readonly publishableClientKey: string;
  /** Where the tokens are kept; stores that hold tokens do not travel. */
  readonly tokenStore: 'cookie' | 'nextjs-cookie' | 'memory' | null;
  /** Pages that are not where the handler has them, as they were given. */
  readonly urls: Partial<HandlerUrls>;
  /** Scopes to ask a provider for, by its id. */
  readonly oauthScopesOnSignIn: Readonly<Record<string, readonly string[]>>;
  /** Tells apps of one process apart: the same app comes back from it. */
  readonly uniqueIdentifier: string;
  /** How redirects are made. */
  readonly redirectMethod: 'window' | 'nextjs' | 'none';
  /** Sent with every request. */
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

/** An app as plain data, without tokens and without keys of a server. @throws when that cannot be. Control 43. */
export function toClientJson(app: object): ClientAppJson {
  const { config, options } = contextOf(app);
  const { publishableClientKey, redirectMethod, tokenStore } = config;
  if (publishableClientKey === undefined) throw cannot('projectOwnerSession');
  if (typeof redirectMethod !== 'string') throw cannot('a redirectMethod that is an object');
  // Tokens do not belong into a page.
  if (typeof tokenStore === 'object' && tokenStore !== null) throw cannot('a tokenStore that is an object');
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

function cannot(what: string): TypeError {
  return new TypeError(`An app with ${what} cannot be serialised.`);
}

/** The app that the JSON came from, if it lives in this process, else a new one like it. */
export function fromClientJson(json: ClientAppJson): ClientApp {
  const { uniqueIdentifier, ...options } = json;
  const text = JSON.stringify(json);
  const known = apps.get(uniqueIdentifier);
  if (known?.text !== undefined && known.text !== text) {
    throw defect(`There is another app with the identifier ${uniqueIdentifier}, made of other JSON.`);
  }
  // Registered by the same function, which was given apps of one kind only.
  // Whatever its level is: every app is a client app.
  if (known) return known.app as ClientApp;
  const app = new ClientApp(options);
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
