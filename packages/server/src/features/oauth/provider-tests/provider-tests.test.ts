import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { createBrowser, type Page } from '../browser.fixtures.ts';
import {
  codeOf,
  createFakeProviders,
  githubTokenEndpoint,
  newGithubUser,
  type OAuthScene,
  openOAuthScene,
  playGithub,
} from '../oauth.fixtures.ts';

const fakes = createFakeProviders();

let server: TestServer;
let scene: OAuthScene;
let owner: CallOptions;
beforeAll(async () => {
  server = await openTestServer({ fetch: fakes.fetch });
});
afterAll(() => server.close());
beforeEach(async () => {
  playGithub(fakes);
  scene = await openOAuthScene(server);
  owner = await ownerOf(scene.project);
});

const minuteMs = 60_000;
const begun = z.object({ url: z.string() });

/** Credentials of a new owner of a project. */
async function ownerOf(project: ProjectAccess): Promise<CallOptions> {
  const { accessToken } = await server.make.user();
  const body = { server_metadata: { managedProjectIds: [project.id] } };
  await server.call('PATCH /users/me', { level: 'server', accessToken, body });
  const headers = { 'x-stack-super-secret-admin-key': '', 'x-stack-admin-access-token': accessToken };
  return { project, level: 'admin', headers };
}

const withKey = (): CallOptions => ({ project: scene.project, level: 'admin' });

const begin = (provider_id: string, by = owner) =>
  server.call('POST /internal/extensions/oauth-provider-tests', { ...by, body: { provider_id } });

const urlOf = async (provider_id: string, by = owner) => begun.parse((await begin(provider_id, by)).json).url;

const read = (test_id: string, by = owner) =>
  server.call('GET /internal/extensions/oauth-provider-tests/{test_id}', { ...by, params: { test_id } });

/** The browser of the owner: GitHub sends it back at once, with the given answer. */
function browserAt(answer: Record<string, string>) {
  const github = async (request: Request) => {
    const asked = new URL(request.url).searchParams;
    const location = `${asked.get('redirect_uri')}?${new URLSearchParams({ state: asked.get('state') ?? '', ...answer })}`;
    return new Response(null, { status: 302, headers: { location } });
  };
  return createBrowser({
    app: server.app,
    stopAt: 'http://localhost:3000',
    others: { 'https://github.com': github },
  });
}

function testIdOf({ url }: Pick<Page, 'url'>): string {
  const { origin, pathname, searchParams } = new URL(url);
  expect(origin + pathname).toBe(`http://localhost:4280/dashboard/projects/${scene.project.id}/sign-in-methods`);
  return searchParams.get('test') ?? '';
}

const rows = async () => {
  const [row] = await server.deps.db.query(sql`
    select (select count(*) from users where project_id = ${scene.project.id}) as users,
      (select count(*) from oauth_accounts where project_id = ${scene.project.id}) as accounts,
      (select count(*) from oauth_tokens where project_id = ${scene.project.id}) as tokens,
      (select count(*) from oauth_authorization_codes where project_id = ${scene.project.id}) as codes,
      (select count(*) from sessions where project_id = ${scene.project.id}) as sessions,
      (select count(*) from oauth_flows where project_id = ${scene.project.id}) as flows
  `);
  return row;
};
const nothing = { users: 0, accounts: 0, tokens: 0, codes: 0, sessions: 0, flows: 0 };

describe('a test of a provider with own keys', () => {
  test('returns to the dashboard with the account, and creates no user, link, token or session', async () => {
    const person = newGithubUser({ isVerified: false });
    const page = await browserAt({ code: codeOf(person) }).open(await urlOf('github'));
    expect((await read(testIdOf(page))).json).toEqual({
      provider_id: 'github',
      account: { id: person.id, email: person.email, is_email_verified: false },
      failure: null,
      tested_at_millis: server.clock.now(),
    });
    expect(await rows()).toEqual(nothing);
  });

  test('sends the stored client id and secret', async () => {
    const browser = browserAt({ code: codeOf(newGithubUser()) });
    await browser.open(await urlOf('github'));
    const atGithub = browser.visited.find(address => address.startsWith('https://github.com/login/oauth/authorize'));
    expect(new URL(atGithub ?? '').searchParams.get('client_id')).toBe('the github client');
    const asked = fakes.asked.findLast(({ url }) => url === githubTokenEndpoint);
    const body = (await asked?.clone().text()) ?? '';
    const header = asked?.headers.get('authorization') ?? '';
    const basic = Buffer.from(header.replace('Basic ', ''), 'base64').toString();
    expect(body + basic).toMatch(/the(?:\+|%20)github(?:\+|%20)secret/);
  });

  test.each<[string, Record<string, string>, object]>([
    [
      'the user denies',
      { error: 'access_denied', error_description: 'The user said no.' },
      { reason: 'denied', message: 'the provider responded: access_denied (The user said no.)' },
    ],
    [
      'the provider refuses the request',
      { error: 'redirect_uri_mismatch' },
      { reason: 'answer', message: 'the provider responded: redirect_uri_mismatch' },
    ],
  ])('shows the error of the provider when %s', async (_, answer, failure) => {
    const page = await browserAt(answer).open(await urlOf('github'));
    expect((await read(testIdOf(page))).json).toMatchObject({ account: null, failure });
    expect(await rows()).toEqual(nothing);
  });

  test('shows that the provider does not accept the secret, with its explanation', async () => {
    fakes.answer(githubTokenEndpoint, () =>
      Response.json({ error: 'invalid_client', error_description: 'The secret is wrong.\0' }, { status: 401 }),
    );
    const page = await browserAt({ code: 'x' }).open(await urlOf('github'));
    expect((await read(testIdOf(page))).json).toMatchObject({
      failure: { reason: 'client', message: 'the provider responded: invalid_client (The secret is wrong.)' },
    });
    expect(server.logged()).not.toContain('The secret is wrong');
  });

  test('a tester who comes back after ten minutes sees that the test has expired', async () => {
    const url = await urlOf('github', withKey());
    const answer = await server.app(new Request(url));
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
    const state = new URL(url).searchParams.get('state') ?? '';
    server.clock.advance(10 * minuteMs);
    const back = await scene.callCallback({ state, cookie }, { code: codeOf(newGithubUser()) });
    const id = testIdOf({ url: back.headers.get('location') ?? '' });
    expect((await read(id, withKey())).json).toMatchObject({ account: null, failure: { reason: 'expired' } });
  });

  test('a URL that is followed after ten minutes is refused', async () => {
    const url = await urlOf('github');
    server.clock.advance(10 * minuteMs);
    expect((await browserAt({}).open(url)).response.status).toBe(400);
  });
});

test('a provider with shared keys is tested with the keys of the installation, here the mock provider', async () => {
  const real = await openTestServer({ beside: server });
  const browser = createBrowser({ app: real.app, stopAt: 'http://localhost:3000' });
  const answer = await real.call('POST /internal/extensions/oauth-provider-tests', {
    ...owner,
    body: { provider_id: 'google' },
  });
  const page = await browser.open(begun.parse(answer.json).url);
  const back = await browser.submit(page, { login: 'ada@example.com' });
  await real.close();
  expect((await read(testIdOf(back))).json).toMatchObject({
    provider_id: 'google',
    account: { id: 'ada@example.com', email: 'ada@example.com', is_email_verified: true },
    failure: null,
  });
  expect(await rows()).toEqual(nothing);
});

test.each(['spotify', 'nonsense'])('a test of the provider %s, which is not switched on, is refused', async id => {
  expect(outcome(await begin(id))).toMatchObject({ status: 400, code: 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED' });
});

test('a test of a shared provider without keys is refused with a text error', async () => {
  const production = await openTestServer({ environment: { TESSERA_MODE: 'production' } });
  const project = await production.make.project({ oauthProviders: [{ id: 'google', type: 'shared' }] });
  const answer = await production.call('POST /internal/extensions/oauth-provider-tests', {
    project,
    level: 'admin',
    body: { provider_id: 'google' },
  });
  await production.close();
  expect(outcome(answer)).toEqual({ status: 400, says: 'a sentence' });
});

describe('control 51: the flow of a provider test', () => {
  test('ends with the first callback', async () => {
    const browser = browserAt({ code: codeOf(newGithubUser()) });
    const url = await urlOf('github');
    await browser.open(url);
    expect((await browser.open(url)).response.status).toBe(400);
  });

  test('is completed only by the browser that followed its URL', async () => {
    const url = await urlOf('github');
    const state = new URL(url).searchParams.get('state') ?? '';
    const foreign = await scene.callCallback({ state, cookie: '' }, { code: codeOf(newGithubUser()) });
    expect(outcome(foreign)).toEqual({ status: 400, says: 'a sentence' });
  });

  test('cannot be started with the state of a sign-in', async () => {
    const { state } = await scene.startFlow();
    const answer = await server.call('GET /extensions/oauth-provider-tests/start', { level: null, query: { state } });
    expect(outcome(answer)).toEqual({ status: 400, says: 'a sentence' });
    expect(answer.headers.get('set-cookie')).toBeNull();
  });
});

describe('control 92: the result of a provider test', () => {
  let id: string;
  beforeEach(async () => {
    id = testIdOf(await browserAt({ code: codeOf(newGithubUser()) }).open(await urlOf('github')));
  });

  const unknown = { status: 404, says: 'a sentence' };

  test('is unknown to another owner, to a key, and in another project of the same owner', async () => {
    const other = await server.make.project();
    const elsewhere = { ...owner, project: other };
    const body = { server_metadata: { managedProjectIds: [scene.project.id, other.id] } };
    const accessToken = owner.headers?.['x-stack-admin-access-token'] ?? '';
    await server.call('PATCH /users/me', { level: 'server', accessToken, body });
    const callers = [await ownerOf(scene.project), withKey(), elsewhere];
    for (const caller of callers) expect(outcome(await read(id, caller))).toEqual(unknown);
    expect((await read(id)).status).toBe(200);
  });

  test('is known for ten minutes', async () => {
    const page = await browserAt({ code: codeOf(newGithubUser()) }).open(await urlOf('github', withKey()));
    const own = testIdOf(page);
    server.clock.advance(10 * minuteMs - 1);
    expect((await read(own, withKey())).status).toBe(200);
    server.clock.advance(1);
    expect(outcome(await read(own, withKey()))).toEqual(unknown);
  });

  test('control 57: is encrypted in the database', async () => {
    const [row] = await server.deps.db.query<{ outcome: Buffer }>(sql`
      select outcome from oauth_provider_tests where project_id = ${scene.project.id} and id = ${id}
    `);
    expect(row?.outcome.toString('latin1')).not.toContain('example.com');
  });
});
