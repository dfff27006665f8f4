import type { Person } from './people.ts';
import type { TesseraServer } from './tessera-server.ts';

type Reachable = Pick<TesseraServer, 'url' | 'keys'>;

interface ApiRequest {
  readonly body?: unknown;
  readonly accessToken?: string | undefined;
}

/** Calls the API as a client of `Demo`, without the SDK: `call(server, 'GET /users/me')`. */
export function call(server: Reachable, route: string, { body, accessToken }: ApiRequest = {}): Promise<Response> {
  const [method = 'GET', path = ''] = route.split(' ');
  return fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: {
      'x-stack-access-type': 'client',
      'x-stack-project-id': server.keys.projectId,
      'x-stack-publishable-client-key': server.keys.publishableClientKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(accessToken === undefined ? {} : { 'x-stack-access-token': accessToken }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export function signUp(server: Reachable, person: Person): Promise<Response> {
  const body = { ...person, verification_callback_url: 'http://localhost:3000/verify' };
  return call(server, 'POST /auth/password/sign-up', { body });
}

export function signIn(server: Reachable, person: Person): Promise<Response> {
  return call(server, 'POST /auth/password/sign-in', { body: person });
}

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Creates an account. @throws when the server refuses it. */
export async function register(server: Reachable, person: Person): Promise<Tokens> {
  const response = await signUp(server, person);
  if (!response.ok) throw new Error(`sign-up failed: ${response.status} ${await response.text()}`);
  const { access_token: accessToken, refresh_token: refreshToken } = await response.json();
  return { accessToken, refreshToken };
}
