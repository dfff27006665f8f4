import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { refused } from '../../sign-in/scene.fixtures.ts';
import { signInOwner } from '../../user-administration/owner.fixtures.ts';
import {
  codeOf,
  createFakeProviders,
  type FakeGithubUser,
  githubTokenEndpoint,
  githubUser,
  newGithubUser,
  type OAuthScene,
  openOAuthScene,
  playGithub,
} from '../oauth.fixtures.ts';

const fakes = createFakeProviders();
const hourMs = 3_600_000;

let server: TestServer;
let scene: OAuthScene;
let person: FakeGithubUser;
beforeAll(async () => {
  server = await openTestServer({ fetch: fakes.fetch });
  scene = await openOAuthScene(server);
});
afterAll(() => server.close());
beforeEach(() => {
  playGithub(fakes);
  person = newGithubUser();
});

const noToken = { status: 400, code: 'OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE' };
const token = (accessToken: string) => ({ status: 201, body: { access_token: accessToken } });

async function ask(accessToken: string, scope?: string) {
  return scene.call('POST /connected-accounts/{user_id}/{provider_id}/access-token', {
    accessToken,
    params: { user_id: 'me', provider_id: 'github' },
    body: scope === undefined ? {} : { scope },
  });
}

/** GitHub answers tokens that expire, with refresh tokens. */
function playExpiring(lifetimeSeconds: number, onRefresh: (form: URLSearchParams) => Response): URLSearchParams[] {
  const refreshes: URLSearchParams[] = [];
  fakes.answer(githubTokenEndpoint, async request => {
    const form = new URLSearchParams(await request.text());
    if (form.get('grant_type') === 'refresh_token') {
      refreshes.push(form);
      return onRefresh(form);
    }
    const code = form.get('code');
    return Response.json({
      access_token: code,
      token_type: 'bearer',
      expires_in: lifetimeSeconds,
      refresh_token: `r ${code}`,
    });
  });
  return refreshes;
}

const signedIn = async (query: Record<string, string> = {}) => (await scene.signIn(person, query)).accessToken;
const renewed = (more: object = {}) =>
  Response.json({ access_token: 'a new token', token_type: 'bearer', expires_in: 3600, ...more });
/** A new session: access tokens expire after ten minutes. */
const later = async (byMs: number) => {
  server.clock.advance(byMs);
  const { json } = await server.call('POST /auth/sessions', {
    project: scene.project,
    level: 'server',
    body: { user_id: await userId() },
  });
  return (json as { access_token: string }).access_token;
};
const userId = async () => {
  const rows = await server.deps.db.query<{ id: string }>(sql`
    select user_id as id from oauth_accounts where project_id = ${scene.project.id} and account_id = ${person.id}
  `);
  return rows[0]?.id;
};

describe('control 102: while the provider does not respond', () => {
  test('a project has 30 requests to it at once and 60 that wait, and another project has its own', async () => {
    const mine = await signedIn();
    const other = await openOAuthScene(server);
    const { accessToken: ofOther } = await other.signIn(newGithubUser());
    let respond = (): void => undefined;
    const hasResponded = new Promise<void>(resolve => {
      respond = resolve;
    });
    let running = 0;
    fakes.answer(githubUser, async () => {
      running++;
      await hasResponded;
      return Response.json({ id: 1 });
    });
    const answers = Array.from({ length: 100 }, () => ask(mine));
    // The others run or wait until the provider responds.
    const refusedAtOnce = await Promise.race(answers);
    expect(running).toBe(30);
    const answerOfOther = other.call('POST /connected-accounts/{user_id}/{provider_id}/access-token', {
      accessToken: ofOther,
      params: { user_id: 'me', provider_id: 'github' },
      body: {},
    });
    await vi.waitFor(() => expect(running).toBe(31), { timeout: 30_000 });
    respond();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect([refusedAtOnce.status, (await answerOfOther).status]).toEqual([400, 201]);
    expect(statuses.filter(status => status === 201)).toHaveLength(90);
  });
});

describe('a stored access token of a provider', () => {
  test('is returned while the provider accepts it', async () => {
    const mine = await signedIn();
    expect(await ask(mine)).toEqual(token(codeOf(person)));
    expect(await ask(mine, 'user:email')).toEqual(token(codeOf(person)));
    expect(await ask(mine, '  ')).toEqual(token(codeOf(person)));
  });

  test('covers the scopes of its sign-in, and no others', async () => {
    const mine = await signedIn({ provider_scope: 'repo gist' });
    expect(await ask(mine, 'gist user:email')).toEqual(token(codeOf(person)));
    expect(await ask(mine, 'gist read:org')).toEqual(noToken);
  });

  test('with more scopes is kept by a later sign-in with fewer', async () => {
    const first = { ...person, name: 'with repo' };
    const { accessToken } = await scene.signIn(first, { provider_scope: 'repo' });
    server.clock.advance(1);
    await scene.signIn(person);
    expect(await ask(accessToken, 'repo')).toEqual(token(codeOf(first)));
    // Of two tokens with the scopes the newest is returned.
    expect(await ask(accessToken)).toEqual(token(codeOf(person)));
  });

  test('gets more scopes by a link', async () => {
    const mine = await signedIn();
    expect(await ask(mine, 'repo')).toEqual(noToken);
    await scene.signIn(person, { type: 'link', token: mine, provider_scope: 'repo' });
    expect(await ask(mine, 'repo')).toEqual(token(codeOf(person)));
  });

  test('of GitHub expires after eight hours by default, and is returned until five minutes before', async () => {
    await signedIn();
    expect(await ask(await later(8 * hourMs - 300_000))).toEqual(token(codeOf(person)));
    expect(await ask(await later(1))).toEqual(noToken);
  });

  test('that the provider does not accept any more is not returned', async () => {
    const mine = await signedIn();
    fakes.answer(githubUser, () => new Response('', { status: 401 }));
    expect(await ask(mine)).toEqual(noToken);
  });

  test('control 57: is stored encrypted with its scopes, and so is its refresh token', async () => {
    playExpiring(hourMs / 1000, () => renewed());
    await signedIn({ provider_scope: 'repo' });
    const rows = await server.deps.db.query<{ kind: string; token: Buffer; scopes: string[] }>(sql`
      select kind, token, scopes from oauth_tokens
      where project_id = ${scene.project.id} and account_id = ${person.id} order by kind
    `);
    expect(rows.map(({ kind, scopes }) => [kind, scopes])).toEqual([
      ['access', ['user:email', 'repo']],
      ['refresh', ['user:email', 'repo']],
    ]);
    for (const row of rows) expect(row.token.toString('latin1')).not.toContain(codeOf(person));
  });

  test('is deleted with the user and with the account', async () => {
    await signedIn();
    await scene.call('DELETE /users/{user_id}', { level: 'server', params: { user_id: (await userId()) ?? '' } });
    const rows = await server.deps.db.query(sql`select id from oauth_tokens where account_id = ${person.id}`);
    expect(rows).toEqual([]);
  });
});

describe('the access token of a provider, which outlives the session that asked for it,', () => {
  test('with an idempotency key is not returned again after the sign-out', async () => {
    const accessToken = await signedIn();
    const askAgain = () =>
      scene.call('POST /connected-accounts/{user_id}/{provider_id}/access-token', {
        accessToken,
        params: { user_id: 'me', provider_id: 'github' },
        body: {},
        headers: { 'idempotency-key': 'one-token-for-each-request' },
      });
    expect(await askAgain()).toMatchObject({ status: 201 });
    await scene.call('DELETE /auth/sessions/current', { accessToken });
    expect(await askAgain()).toMatchObject({ code: 'ACCESS_TOKEN_EXPIRED' });
  });

  test('control 34: is refused to an impersonation session', async () => {
    await signedIn();
    const { accessToken } = await scene.session((await userId()) ?? '', { is_impersonation: true });
    expect(await ask(accessToken)).toEqual(refused(403));
    const older = { accessToken, params: { provider_id: 'github' }, body: {} };
    const answer = await scene.call('POST /auth/oauth/connected-accounts/{provider_id}/access-token', older);
    expect(answer).toEqual(refused(403));
  });

  test('control 68: needs a sign-in in the last ten minutes of a person who manages the project', async () => {
    await signedIn();
    const params = { user_id: (await userId()) ?? '', provider_id: 'github' };
    const askWith = (headers: Record<string, string> = {}) =>
      scene.call('POST /connected-accounts/{user_id}/{provider_id}/access-token', {
        level: 'server',
        params,
        body: {},
        headers,
      });
    const { headers, olderHeaders } = await signInOwner(server, scene.project.id);
    expect(await askWith(headers)).toEqual(token(codeOf(person)));
    expect(await askWith(await olderHeaders())).toMatchObject({ status: 403, code: 'REAUTHENTICATION_REQUIRED' });
    expect(await askWith()).toEqual(token(codeOf(person)));
  });
});

describe('control 57: no token is returned when the access of the caller ends while the provider answers', () => {
  /** What happens while the provider is asked whether it accepts the stored token. */
  const whileAsked = (end: () => Promise<unknown>) =>
    fakes.answer(githubUser, async () => {
      await end();
      return Response.json({});
    });

  test('the session of the user', async () => {
    const mine = await signedIn();
    whileAsked(() => scene.call('DELETE /auth/sessions/current', { accessToken: mine }));
    expect(await ask(mine)).toMatchObject({ code: 'ACCESS_TOKEN_EXPIRED' });
  });

  test('the session of a person who manages the project, and the key of a server', async () => {
    const id = await signedIn().then(userId);
    const askWith = (options: object) =>
      scene.call('POST /connected-accounts/{user_id}/{provider_id}/access-token', {
        level: 'server',
        params: { user_id: id ?? '', provider_id: 'github' },
        body: {},
        ...options,
      });
    const { owner, headers } = await signInOwner(server, scene.project.id);
    whileAsked(() => server.call('DELETE /auth/sessions/current', { accessToken: owner.accessToken }));
    expect(await askWith({ headers })).toMatchObject({ code: 'ADMIN_ACCESS_TOKEN_EXPIRED' });
    const { key, revoke } = await makeKey();
    whileAsked(revoke);
    expect(await askWith({ headers: { 'x-stack-secret-server-key': key } })).toMatchObject({
      code: 'INVALID_SECRET_SERVER_KEY',
    });
  });

  /** Another secret key of the project. */
  async function makeKey() {
    const body = {
      description: 'Leaked',
      expires_at_millis: server.clock.now() + hourMs,
      has_publishable_client_key: false,
      has_secret_server_key: true,
      has_super_secret_admin_key: false,
    };
    const made = await server.call('POST /internal/api-keys', { project: scene.project, level: 'admin', body });
    const { id, secret_server_key: key } = made.json as { id: string; secret_server_key: string };
    const revocation = { project: scene.project, level: 'admin', params: { id }, body: { revoked: true } } as const;
    return { key, revoke: () => server.call('PATCH /internal/api-keys/{id}', revocation) };
  }
});

describe('an expired access token of a provider', () => {
  test('is refreshed with the requested scopes', async () => {
    const refreshes = playExpiring(hourMs / 1000, () => renewed({ refresh_token: 'r 2' }));
    await signedIn({ provider_scope: 'repo' });
    expect(await ask(await later(hourMs), 'repo')).toEqual(token('a new token'));
    expect(refreshes.map(form => Object.fromEntries(form))).toEqual([
      { grant_type: 'refresh_token', refresh_token: `r ${codeOf(person)}`, scope: 'repo' },
    ]);
    fakes.answer(githubUser, () => Response.json({}));
    expect(await ask(await later(1), 'user:email')).toEqual(token('a new token'));
    expect(refreshes).toHaveLength(1);
    // The new refresh token has replaced the first one.
    expect(await ask(await later(hourMs))).toEqual(token('a new token'));
    expect(Object.fromEntries(refreshes[1] ?? [])).toEqual({ grant_type: 'refresh_token', refresh_token: 'r 2' });
  });

  test('keeps its refresh token when the provider sends no new one', async () => {
    const refreshes = playExpiring(hourMs / 1000, () => renewed());
    await signedIn();
    await ask(await later(hourMs));
    await ask(await later(hourMs));
    expect(refreshes.map(form => form.get('refresh_token'))).toEqual(Array(2).fill(`r ${codeOf(person)}`));
  });

  test('is refreshed when the response has an invalid ID token', async () => {
    playExpiring(hourMs / 1000, () => renewed({ id_token: 'none of ours' }));
    await signedIn();
    expect(await ask(await later(hourMs))).toEqual(token('a new token'));
  });

  test('is refreshed also when the provider revoked it before it expired', async () => {
    playExpiring(hourMs / 1000, () => renewed());
    const mine = await signedIn();
    fakes.answer(githubUser, () => new Response('', { status: 401 }));
    expect(await ask(mine)).toEqual(token('a new token'));
  });

  test('control 57: whose refresh the provider refuses must be linked again', async () => {
    for (const refusal of [
      () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
      () => Response.json({ error: 'bad_refresh_token' }),
      () => new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }),
    ]) {
      playExpiring(hourMs / 1000, refusal);
      await signedIn();
      expect(await ask(await later(hourMs))).toEqual(noToken);
    }
  });

  test('is a text 400 when the provider does not respond: the account is still connected', async () => {
    playExpiring(hourMs / 1000, () => {
      throw new TypeError('fetch failed');
    });
    await signedIn();
    expect(await ask(await later(hourMs))).toEqual(refused(400));
  });

  test('is refreshed once for two concurrent requests, and both get the new token', async () => {
    let isUsed = false;
    let first: (() => void) | undefined;
    const isStored = new Promise<void>(resolve => {
      first = resolve;
    });
    fakes.answer(githubTokenEndpoint, async request => {
      const form = new URLSearchParams(await request.text());
      if (form.get('grant_type') !== 'refresh_token') {
        const code = form.get('code');
        return Response.json({ access_token: code, token_type: 'bearer', expires_in: 3600, refresh_token: 'once' });
      }
      if (!isUsed) {
        isUsed = true;
        return renewed({ refresh_token: 'twice' });
      }
      await isStored;
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    });
    await signedIn();
    const mine = await later(hourMs);
    // A request that starts later finds the new token.
    fakes.answer(githubUser, () => Response.json({}));
    const [one, two] = [ask(mine), ask(mine)];
    const winner = await Promise.race([one, two]);
    first?.();
    expect([winner, await one, await two]).toEqual(Array(3).fill(token('a new token')));
  });
});
