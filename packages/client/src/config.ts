import type { AccessLevel } from '@tessera/protocol';
import { apiPath } from '@tessera/protocol/limits';
import {
  apiUrlVariables,
  extraRequestHeadersVariables,
  projectIdVariables,
  publishableClientKeyVariables,
  readVariable,
  secretServerKeyVariables,
  superSecretAdminKeyVariables,
} from './env.ts';
import type { ClientAppOptions, RedirectMethod, TokenStoreInit } from './options.ts';
import type { Session } from './session/session.ts';
import { type HandlerUrls, resolveUrls } from './urls.ts';

/** Options of an app of any level. */
export interface AnyAppOptions extends ClientAppOptions {
  readonly secretServerKey?: string;
  readonly superSecretAdminKey?: string;
  readonly projectOwnerSession?: Session;
}

/** An app's settings, complete. */
export interface Config {
  readonly projectId: string;
  readonly publishableClientKey: string | undefined;
  readonly secretServerKey: string | undefined;
  readonly superSecretAdminKey: string | undefined;
  readonly projectOwnerSession: Session | undefined;
  /** For this side. */
  readonly baseUrl: string;
  /** With `/api/v1`, without a slash at its end. */
  readonly apiUrl: string;
  readonly extraRequestHeaders: Readonly<Record<string, string>>;
  readonly tokenStore: TokenStoreInit;
  readonly urls: HandlerUrls;
  readonly redirectMethod: RedirectMethod;
}

type Side = 'browser' | 'server';

/**
 * Completes options from the environment.
 *
 * @throws when something is missing, naming the variable to set.
 */
export function resolveConfig(level: AccessLevel, options: AnyAppOptions, side: Side): Config {
  const baseUrl = resolveBaseUrl(options.baseUrl, side);
  const isOwners = options.projectOwnerSession !== undefined;
  const needsServerKey = level !== 'client' && !isOwners;
  const needsAdminKey = level === 'admin' && !isOwners;
  return {
    projectId: options.projectId ?? needed(projectIdVariables, 'projectId'),
    publishableClientKey: isOwners
      ? undefined
      : (options.publishableClientKey ?? needed(publishableClientKeyVariables, 'publishableClientKey')),
    secretServerKey: needsServerKey
      ? (options.secretServerKey ?? needed(secretServerKeyVariables, 'secretServerKey'))
      : undefined,
    superSecretAdminKey: needsAdminKey
      ? (options.superSecretAdminKey ?? needed(superSecretAdminKeyVariables, 'superSecretAdminKey'))
      : undefined,
    projectOwnerSession: options.projectOwnerSession,
    baseUrl,
    apiUrl: baseUrl + apiPath,
    extraRequestHeaders: options.extraRequestHeaders ?? headersFromEnvironment(),
    tokenStore: options.tokenStore,
    urls: resolveUrls(options.urls),
    redirectMethod: options.redirectMethod ?? 'none',
  };
}

/** The address of the server for one side, without a slash at its end. */
export function resolveBaseUrl(given: ClientAppOptions['baseUrl'], side: Side): string {
  const own = typeof given === 'object' ? given[side] : given;
  return (own || needed(apiUrlVariables[side], 'baseUrl')).replace(/\/$/, '');
}

function needed(variables: Parameters<typeof readVariable>[0], option: string): string {
  const value = readVariable(variables);
  if (value !== undefined) return value;
  const names = Object.keys(variables).filter(name => !name.includes('STACK'));
  throw new Error(`The app has no ${option}. Pass it to the constructor, or set the variable ${names.join(' or ')}.`);
}

function headersFromEnvironment(): Record<string, string> {
  const text = readVariable(extraRequestHeadersVariables);
  return text === undefined ? {} : JSON.parse(text);
}
