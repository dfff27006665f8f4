import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clientApp, machine } from '../../../test/apps.ts';
import { soon } from '../../../test/soon.ts';
import { brokenBody, json, knownError, noConnection, noResponse, text } from '../../../test/stub-server.ts';
import { accessToken } from '../../../test/tokens.ts';
import { createWorld } from '../../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tokenRoute = 'POST /api/v1/auth/oauth/token';
const signInPage = 'https://shop.example/handler/sign-in?after_auth_return_to=%2Fcart#top';

/** Starts the sign-in at a provider. */
async function left(options = {}, start = signInPage) {
  const world = createWorld();
  const tab = world.openTab({ redirectMethod: 'window', ...options }, start);
  const returned = vi.fn();
  tab.app.signInWithOAuth('GitHub').then(returned, returned);
  // The digest of the challenge is made by the machine, not by the set clock.
  await vi.waitFor(() => expect(tab.visited).toHaveLength(1), { timeout: 20_000 });
  const authorize = new URL(tab.visited[0]?.replace('assign ', '') ?? '');
  return { ...world, ...tab, returned, authorize, state: authorize.searchParams.get('state') ?? '' };
}

/** Returns from the provider. */
async function cameBack(
  answer: () => Response,
  query: (state: string) => string = state => `code=c0de&state=${state}`,
) {
  const world = await left();
  world.server.routes[tokenRoute] = answer;
  const redirectUri = world.authorize.searchParams.get('redirect_uri') ?? '';
  const start = `${redirectUri}&${query(world.state)}`;
  const tab = world.openTab({ redirectMethod: 'window' }, start);
  return { ...world, ...tab, redirectUri };
}

const answer = (more: object = {}) =>
  json({
    access_token: accessToken(),
    refresh_token: 'oauth',
    token_type: 'Bearer',
    expires_in: 600,
    scope: 'legacy',
    is_new_user: false,
    after_callback_redirect_url: null,
    ...more,
  });

describe('the redirect to an OAuth provider', () => {
  test('has every parameter of the server, and the call never resolves', async () => {
    const { authorize, page, returned, state } = await left();
    const verifier = page.cookies.read().match(new RegExp(`stack-oauth-outer-${state}=([^;]+)`))?.[1] ?? '';
    expect(verifier).toMatch(/^[\w-]{43}$/);
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(authorize.origin + authorize.pathname).toBe('https://auth.example/api/v1/auth/oauth/authorize/github');
    expect(Object.fromEntries(authorize.searchParams)).toEqual({
      client_id: 'p1',
      client_secret: 'pck',
      redirect_uri: 'https://shop.example/handler/oauth-callback?after_auth_return_to=%2Fcart',
      scope: 'legacy',
      state,
      grant_type: 'authorization_code',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      response_type: 'code',
      type: 'authenticate',
      error_redirect_url:
        'https://shop.example/handler/error?after_auth_return_to=%2Fcart&provider=github&account_methods=&trace_id=',
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(returned).not.toHaveBeenCalled();
  });

  test('control 51: the verifier is stored in a cookie for one hour, Lax and Secure', async () => {
    const { browser, state } = await left();
    const written = browser.cookies.written.find(cookie => cookie.startsWith('stack-oauth-outer-'));
    expect(written).toContain(`stack-oauth-outer-${state}=`);
    expect(written).toContain('; Path=/; Max-Age=3600; SameSite=Lax; Secure');
  });

  test('drops OAuth parameters from the callback URL, and logs a warning', async () => {
    const { authorize, messages } = await left({ urls: { oauthCallback: '/back?code=1&x=2' } });
    expect(authorize.searchParams.get('redirect_uri')).toBe(
      'https://shop.example/back?x=2&after_auth_return_to=%2Fcart',
    );
    expect(messages).toEqual([expect.stringContaining('"code"')]);
  });

  test("carries an anonymous user's token, so that the user is upgraded, and no other user's token", async () => {
    for (const isAnonymous of [true, false]) {
      const world = createWorld({ is_anonymous: isAnonymous });
      const { app, visited } = world.openTab({ redirectMethod: 'window' });
      await soon(app.signInWithCredential(world.ada));
      void app.signInWithOAuth('github');
      await vi.waitFor(() => expect(visited).toHaveLength(1), { timeout: 20_000 });
      expect(new URL(visited[0]?.replace('assign ', '') ?? '').searchParams.has('token')).toBe(isAnonymous);
    }
  });

  test('throws in an app without a token store', async () => {
    const { app } = createWorld().openTab({ tokenStore: null });
    await expect(app.signInWithOAuth('github')).rejects.toThrow('token store');
  });

  test('throws on a server', async () => {
    const app = clientApp(machine(noConnection));
    await expect(app.signInWithOAuth('github')).rejects.toThrow('browser');
    await expect(app.callOAuthCallback()).rejects.toThrow('browser');
  });
});

describe('the return from an OAuth provider', () => {
  test('exchanges the code without API headers, and redirects to the return address', async () => {
    const { app, server, page, visited, redirectUri, state } = await cameBack(answer);
    expect(await soon(app.callOAuthCallback())).toBe(true);
    const [request] = server.to(tokenRoute);
    expect([...(request?.headers ?? [])]).toEqual([]);
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'authorization_code',
      code: 'c0de',
      redirect_uri: redirectUri,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      client_id: 'p1',
      client_secret: 'pck',
    });
    expect(visited).toEqual(['replace /cart']);
    expect(page.cookies.read()).toContain('stack-refresh-p1=oauth');
    expect(page.cookies.read()).not.toContain(`stack-oauth-outer-${state}`);
  });

  test('removes code and state from the page URL at once', async () => {
    const { app, server, page, redirectUri } = await cameBack(answer);
    let address = '';
    server.routes[tokenRoute] = () => {
      address = page.href();
      return answer();
    };
    await soon(app.callOAuthCallback());
    expect(address).toBe(redirectUri);
  });

  test('redirects a new account to its page, and a connected account to its return page', async () => {
    const fresh = await cameBack(() => answer({ is_new_user: true }));
    await soon(fresh.app.callOAuthCallback());
    expect(fresh.visited).toEqual(['replace /cart']);
    const linked = await cameBack(() => answer({ after_callback_redirect_url: 'https://shop.example/settings#x' }));
    await soon(linked.app.callOAuthCallback());
    expect(linked.visited).toEqual(['replace https://shop.example/settings#x']);
  });

  test('is handled by one of two concurrent calls', async () => {
    const { app, server } = await cameBack(answer);
    const results = await soon(Promise.all([app.callOAuthCallback(), app.callOAuthCallback()]));
    expect(results.sort()).toEqual([false, true]);
    expect(server.to(tokenRoute)).toHaveLength(1);
  });

  test.each([
    ['no code', (state: string) => `state=${state}`],
    ['no state', () => 'code=c0de'],
    ['a state of another browser', () => 'code=c0de&state=other'],
  ])('control 51: a callback with %s is ignored', async (_, query) => {
    const { app, server, visited, messages } = await cameBack(answer, query);
    expect(await soon(app.callOAuthCallback())).toBe(false);
    expect(server.to(tokenRoute)).toEqual([]);
    expect(visited).toEqual([]);
    expect(messages).toHaveLength(1);
  });

  test('redirects a user with a second factor to the MFA page', async () => {
    const { app, visited, stored } = await cameBack(() =>
      knownError('MULTI_FACTOR_AUTHENTICATION_REQUIRED', 400, { attempt_code: 'att' }),
    );
    await expect(soon(app.callOAuthCallback())).rejects.toThrow('Please try again');
    expect(visited).toEqual(['assign /handler/mfa?after_auth_return_to=%2Fcart']);
    expect(stored.get('stack_mfa_attempt_code')).toBe('att');
  });

  test('throws a known error of the code exchange unchanged, and does not repeat the exchange', async () => {
    const { app, server } = await cameBack(() => knownError('INVALID_AUTHORIZATION_CODE', 400));
    const failure = await soon(app.callOAuthCallback()).catch(error => error);
    expect(failure).toMatchObject({ errorCode: 'INVALID_AUTHORIZATION_CODE' });
    expect(server.to(tokenRoute)).toHaveLength(1);
  });

  test.each([
    ['a broken server', () => text(500, 'oops')],
    ['no connection', noConnection],
    ['a connection that breaks inside the body', () => brokenBody()],
    ['too many requests', () => text(429, '')],
  ])('after %s the code exchange fails with a RequestError as its cause, and is not repeated', async (_, response) => {
    const { app, server } = await cameBack(response);
    const failure = await soon(app.callOAuthCallback()).catch(error => error);
    expect(failure.message).toBe('Error signing in during OAuth callback. Please try again.');
    expect(failure.cause).toMatchObject({ name: 'RequestError' });
    expect(server.to(tokenRoute)).toHaveLength(1);
  });

  test('a code exchange without a response fails after 30 seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(waitMs => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), waitMs);
      return controller.signal;
    });
    try {
      const { app, server } = await cameBack(answer);
      server.routes[tokenRoute] = noResponse;
      const failed = vi.fn();
      app.callOAuthCallback().catch(failed);
      await vi.advanceTimersByTimeAsync(29_000);
      expect(failed).not.toHaveBeenCalled();
      await soon(vi.waitFor(() => expect(failed).toHaveBeenCalled()));
      expect(failed.mock.calls[0]?.[0].cause).toMatchObject({ name: 'RequestError', reason: 'unreachable' });
    } finally {
      timeout.mockRestore();
    }
  });

  test('alerts the user about a wrong second factor', async () => {
    const { app, messages } = await cameBack(() => knownError('INVALID_TOTP_CODE', 400));
    expect(await soon(app.callOAuthCallback())).toBe(false);
    expect(messages).toEqual(['Invalid TOTP code. Please try signing in again.']);
  });
});
