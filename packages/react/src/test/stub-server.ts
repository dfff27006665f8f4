import type { UserJson } from '@tessera/client';
import { userJson } from './user-json.ts';

interface Account {
  readonly password: string;
  user: UserJson;
}

type Route = (request: Request, body: Record<string, string>) => Response;

interface StubOptions {
  config?: Record<string, unknown>;
  /** Further endpoints, such as `GET /teams`. */
  more?: Record<string, Route>;
  /** The project asks a new account for the code of the verification email, which this completes. */
  verificationNonce?: string;
}

/** Implements the endpoints that the pages use, in memory, as a function from request to response. */
export function stubServer({ config = {}, more = {}, verificationNonce }: StubOptions = {}) {
  const accounts = new Map<string, Account>();
  const sessions = new Map<string, string>();
  const requests: string[] = [];
  const state = { isDown: false };

  const routes: Record<string, Route> = {
    ...more,
    'GET /projects/current': () =>
      json({ id: 'p', display_name: 'Shelfmark', config: { ...projectConfig, ...config } }),
    'POST /auth/password/sign-up': (_, body) => {
      const { email = '', password = '' } = body;
      if (accounts.has(email)) return known('USER_EMAIL_ALREADY_EXISTS', 409, { email });
      if (password.length < 8) return known('PASSWORD_TOO_SHORT', 400, { min_length: 8 });
      accounts.set(email, { password, user: newUser(email) });
      return signedIn(email, { email_verification_nonce: verificationNonce });
    },
    'POST /auth/password/sign-in': (_, { email = '', password }) =>
      accounts.get(email)?.password === password ? signedIn(email) : known('EMAIL_PASSWORD_MISMATCH', 400),
    'GET /users/me': request => withAccount(request, account => json(account.user)),
    'PATCH /users/me': (request, body) =>
      withAccount(request, account => {
        account.user = { ...account.user, ...body };
        return json(account.user);
      }),
    'DELETE /auth/sessions/current': request => {
      sessions.delete(request.headers.get('x-stack-refresh-token') ?? '');
      return json({ success: true });
    },
    'POST /auth/oauth/token': (_, body) =>
      sessions.has(body.refresh_token ?? '')
        ? json({ access_token: accessToken(), token_type: 'Bearer', expires_in: 600, scope: 'legacy' })
        : known('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 401),
  };

  function signedIn(email: string, more: Record<string, unknown> = {}): Response {
    const refreshToken = `r${crypto.randomUUID()}`;
    sessions.set(refreshToken, email);
    const user_id = accounts.get(email)?.user.id;
    return json({ access_token: accessToken(), refresh_token: refreshToken, user_id, ...more });
  }

  function withAccount(request: Request, answer: (account: Account) => Response): Response {
    const email = sessions.get(request.headers.get('x-stack-refresh-token') ?? '') ?? '';
    const account = accounts.get(email);
    return account ? answer(account) : known('CANNOT_GET_OWN_USER_WITHOUT_USER', 400);
  }

  async function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    if (state.isDown) throw new TypeError('fetch failed');
    const request = new Request(input, init);
    const route = `${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`;
    requests.push(route);
    const text = await request.text();
    const body = text.startsWith('{') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
    return routes[route]?.(request, body) ?? new Response('Not found.', { status: 404 });
  }

  return {
    fetch,
    requests,
    state,
    addAccount: (email: string, password: string) => accounts.set(email, { password, user: newUser(email) }),
  };
}

const projectConfig = {
  sign_up_enabled: true,
  credential_enabled: true,
  magic_link_enabled: false,
  passkey_enabled: false,
  client_team_creation_enabled: false,
  client_user_deletion_enabled: false,
  allow_user_api_keys: false,
  allow_team_api_keys: false,
  enabled_oauth_providers: [],
};

function newUser(email: string): UserJson {
  return { ...userJson, id: crypto.randomUUID(), primary_email: email, display_name: null };
}

function accessToken(): string {
  const payload = { exp: Math.floor(Date.now() / 1000) + 600, iat: Math.floor(Date.now() / 1000) };
  return `e30.${btoa(JSON.stringify(payload)).replaceAll('=', '')}.s${crypto.randomUUID()}`;
}

export function json(body: unknown): Response {
  return Response.json(body);
}

export function known(code: string, status: number, details?: unknown): Response {
  return Response.json(
    { code, details, error: code },
    { headers: { 'x-stack-known-error': code, 'x-stack-actual-status': String(status) } },
  );
}
