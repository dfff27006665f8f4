import type { AnyAppOptions } from '../app/config/config.ts';
import type { UserJson } from '../features/account/user.ts';
import { clientApp, userJson } from './apps.ts';
import { createBrowser } from './browser.ts';
import { createStubServer, json, knownError } from './stub-server.ts';
import { accessToken } from './tokens.ts';

/** A server with one account, `ada@example.com` with password `correct horse`, and a browser. */
export function createWorld(user: Partial<UserJson> = {}) {
  let account: UserJson = { ...userJson, ...user };
  const sessions = new Set<string>();
  let count = 0;

  function signedIn(): Response {
    count++;
    const refreshToken = `refresh-${count}`;
    sessions.add(refreshToken);
    return json({ access_token: accessToken(), refresh_token: refreshToken, user_id: account.id });
  }

  const hasSession = (headers: Headers) => sessions.has(headers.get('x-stack-refresh-token') ?? '');
  const noUser = () => knownError('CANNOT_GET_OWN_USER_WITHOUT_USER', 400);

  const server = createStubServer({
    'POST /api/v1/auth/password/sign-up': signedIn,
    'POST /api/v1/auth/password/sign-in': ({ body }) =>
      JSON.parse(body).password === 'correct horse' ? signedIn() : knownError('EMAIL_PASSWORD_MISMATCH', 400),
    'POST /api/v1/auth/oauth/token': ({ body }) =>
      sessions.has(new URLSearchParams(body).get('refresh_token') ?? '')
        ? json({ access_token: accessToken(), token_type: 'Bearer', expires_in: 600, scope: 'legacy' })
        : knownError('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 401),
    'DELETE /api/v1/auth/sessions/current': ({ headers }) => {
      sessions.delete(headers.get('x-stack-refresh-token') ?? '');
      return json({ success: true });
    },
    'GET /api/v1/users/me': ({ headers }) => (hasSession(headers) ? json(account) : noUser()),
    'PATCH /api/v1/users/me': ({ headers, body }) => {
      if (!hasSession(headers)) return noUser();
      account = { ...account, ...JSON.parse(body) };
      return json(account);
    },
    'DELETE /api/v1/users/me': () => {
      sessions.clear();
      return json({ success: true });
    },
  });

  const browser = createBrowser();
  const ada = { email: 'ada@example.com', password: 'correct horse', noRedirect: true } as const;

  /** An app in a tab of its own. */
  function openTab(options: Partial<AnyAppOptions> = {}, start?: string) {
    const tab = browser.openTab(server.fetch, start);
    return { ...tab, app: clientApp(tab.platform, { tokenStore: 'cookie', ...options }) };
  }

  return { server, sessions, browser, openTab, ada };
}
