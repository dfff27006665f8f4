import { isLoopbackHost, parseUrl } from '@tessera/protocol/urls';
import { usageError } from './failure.ts';
import type { Io } from './io.ts';
import { type KeyFile, readKeyFile } from './key-file.ts';
import { findLogin, readLogins } from './logins.ts';

/** Server and project from the command line. */
export interface TargetOptions {
  readonly apiUrl?: string;
  readonly project?: string;
  readonly publishableKey?: string;
  readonly appUrl?: string;
}

/** A project at a server, with its known keys. */
export interface Target {
  /** Without `/api/v1` and without a slash at its end. */
  readonly apiUrl: string;
  readonly projectId: string;
  readonly publishableClientKey: string | undefined;
  readonly secretServerKey: string | undefined;
  readonly superSecretAdminKey: string | undefined;
  /** Address of the app that hosts the sign-in page. */
  readonly appUrl: string | undefined;
}

/**
 * Order of precedence: options, the environment, the keys of a development server in this folder, the latest login,
 * `fallback`. Keys are taken only from a source that names the same project.
 */
export function resolveTarget(
  options: TargetOptions,
  io: Pick<Io, 'env' | 'cwd' | 'configFolder'>,
  fallback: { readonly apiUrl?: string; readonly projectId?: string } = {},
): Target {
  const { env } = io;
  const namedUrl = baseUrl(options.apiUrl ?? env.TESSERA_API_URL);
  const keyFile = keyFileFor(namedUrl, io);
  const latest = readLogins(io.configFolder)
    .filter(({ apiUrl }) => apiUrl === (namedUrl ?? apiUrl))
    .at(-1);
  const apiUrl = namedUrl ?? keyFile?.url ?? latest?.apiUrl ?? fallback.apiUrl;
  if (apiUrl === undefined) {
    throw usageError('Which server? Pass --api-url https://auth.example.com, or set TESSERA_API_URL.');
  }
  const projectId =
    options.project ?? env.TESSERA_PROJECT_ID ?? keyFile?.demo ?? latest?.projectId ?? fallback.projectId;
  if (projectId === undefined)
    throw usageError('Which project? Pass --project with its id, or set TESSERA_PROJECT_ID.');

  if (namedUrl === undefined && keyFile !== undefined) assertMayHaveKeys(keyFile, env);
  const isOfEnvironment = (env.TESSERA_PROJECT_ID ?? projectId) === projectId;
  const fromEnvironment = isOfEnvironment ? env : {};
  const fromFile = keyFile?.projects[projectId];
  return {
    apiUrl,
    projectId,
    publishableClientKey:
      options.publishableKey ??
      fromEnvironment.TESSERA_PUBLISHABLE_CLIENT_KEY ??
      fromFile?.publishableClientKey ??
      findLogin(io.configFolder, { apiUrl, projectId })?.publishableClientKey,
    secretServerKey: fromEnvironment.TESSERA_SECRET_SERVER_KEY ?? fromFile?.secretServerKey,
    superSecretAdminKey: fromEnvironment.TESSERA_SUPER_SECRET_ADMIN_KEY ?? fromFile?.superSecretAdminKey,
    appUrl: options.appUrl ?? env.TESSERA_APP_URL ?? knownAppUrl({ apiUrl, projectId, keyFile, env }),
  };
}

/** The key file counts unless another server is named. */
function keyFileFor(namedUrl: string | undefined, io: Pick<Io, 'env' | 'cwd'>): KeyFile | undefined {
  const file = readKeyFile(io);
  return file !== undefined && (namedUrl === undefined || namedUrl === file.url) ? file : undefined;
}

const secretKeys = ['TESSERA_SECRET_SERVER_KEY', 'TESSERA_SUPER_SECRET_ADMIN_KEY'] as const;

/**
 * A key file can come with a folder that someone else made, such as a cloned repository. It may choose a server on this
 * machine; the secrets of the environment are not sent to any other server that only the file names.
 */
function assertMayHaveKeys({ url }: KeyFile, env: Io['env']): void {
  const variable = secretKeys.find(name => env[name] !== undefined);
  if (variable === undefined || isLoopbackHost(parseUrl(url)?.hostname ?? '')) return;
  throw usageError(
    `Only .tessera/keys.json names the server ${url}. To send ${variable} to it, pass --api-url, or set TESSERA_API_URL.`,
  );
}

const demoPort = '4281';

/** `npm start` runs the demo's app at a known address. Owners sign in to `internal` on the dashboard of the server. */
function knownAppUrl(at: { apiUrl: string; projectId: string; keyFile: KeyFile | undefined; env: Io['env'] }) {
  if (at.projectId === 'internal') return `${at.apiUrl}/dashboard`;
  return at.keyFile?.demo === at.projectId ? `http://localhost:${at.env.DEMO_PORT ?? demoPort}` : undefined;
}

/** Normalizes the address of a server. */
export function baseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^https?:\/\//.test(text) || parseUrl(text) === undefined) {
    throw usageError(`${text} is not a server address. Write it like https://auth.example.com.`);
  }
  return text.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}
