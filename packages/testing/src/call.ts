import type { AccessLevel, Route } from '@tessera/protocol';
import type { App } from '@tessera/server';

export interface ProjectAccess {
  readonly id: string;
  readonly publishableClientKey: string;
  readonly secretServerKey: string;
  readonly superSecretAdminKey: string;
}

export interface CallOptions {
  /** Default `client`; null sends no access type and no key. */
  readonly level?: AccessLevel | null;
  /** Default `internal`. */
  readonly project?: ProjectAccess;
  readonly accessToken?: string;
  readonly refreshToken?: string;
  readonly params?: Record<string, string>;
  /** Undefined values are not sent. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Added to the default headers; an empty value removes a header. */
  readonly headers?: Record<string, string>;
  /** Address of the peer; undefined means a request without a socket. */
  readonly peerAddress?: string;
}

/** A response. `json` is undefined when the body is not JSON. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** The keys of project `internal` in tests. */
export const internalKeys = {
  publishableClientKey: 'pck_test_internal',
  secretServerKey: 'ssk_test_internal',
  superSecretAdminKey: 'sak_test_internal',
};

/** The settings that give these keys to a server. */
export const internalKeySettings = {
  TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY: internalKeys.publishableClientKey,
  TESSERA_INTERNAL_SECRET_SERVER_KEY: internalKeys.secretServerKey,
  TESSERA_INTERNAL_SUPER_SECRET_ADMIN_KEY: internalKeys.superSecretAdminKey,
};

const internal: ProjectAccess = { id: 'internal', ...internalKeys };

export async function callApp(app: App, route: Route, options: CallOptions = {}): Promise<Answered> {
  const { peerAddress } = options;
  return readAnswer(await app(requestOf(route, options), peerAddress === undefined ? {} : { peerAddress }));
}

/** Builds the request of a call to `{method} {path}`. */
export function requestOf(route: string, options: CallOptions = {}): Request {
  const [method = '', path = ''] = route.split(' ');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(options.params?.[name] ?? ''));
  const query = options.query === undefined ? '' : `?${new URLSearchParams(definedEntries(options.query))}`;
  return new Request(`http://localhost:4280/api/v1${filled}${query}`, {
    method,
    headers: headersOf(options),
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
}

function definedEntries(query: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

/** Sends a request with any address, headers and bytes. */
export async function ask(app: App, address: string, init?: RequestInit): Promise<Answered> {
  return readAnswer(await app(new Request(`http://localhost:4280${address}`, init)));
}

export async function readAnswer(response: Response): Promise<Answered> {
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/** The text of a response. An event stream has no end: it is cancelled, and its text is empty. */
export async function readText(response: Response): Promise<string> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response.text();
  await response.body?.cancel();
  return '';
}

/** The headers of a call. */
export function headersOf({ level = 'client', project = internal, ...options }: CallOptions): Headers {
  const headers = new Headers();
  if (level !== null) {
    headers.set('x-stack-access-type', level);
    headers.set('x-stack-project-id', project.id);
    headers.set(...keyHeader(level, project));
  }
  if (options.accessToken !== undefined) headers.set('x-stack-access-token', options.accessToken);
  if (options.refreshToken !== undefined) headers.set('x-stack-refresh-token', options.refreshToken);
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value === '') headers.delete(name);
    else headers.set(name, value);
  }
  return headers;
}

function keyHeader(level: AccessLevel, project: ProjectAccess): [string, string] {
  if (level === 'client') return ['x-stack-publishable-client-key', project.publishableClientKey];
  if (level === 'server') return ['x-stack-secret-server-key', project.secretServerKey];
  return ['x-stack-super-secret-admin-key', project.superSecretAdminKey];
}
