import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestServer } from '../../../test/harness.ts';
import { plainPasswords, refused } from '../../sign-in/scene.fixtures.ts';
import { totpOf } from '../../sign-in/totp.fixtures.ts';
import { newGithubUser, type OAuthScene, openGithubServer, openOAuthScene } from '../oauth.fixtures.ts';

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openGithubServer({ passwords: plainPasswords() });
  scene = await openOAuthScene(server);
});
afterAll(() => server.close());

const unknownProject = '11111111-1111-4111-8111-111111111111';
const invalidCode = { status: 400, code: 'INVALID_AUTHORIZATION_CODE' };
const invalidRequest = { status: 400, body: { error: 'invalid_request', error_description: expect.any(String) } };

/** A fault of a request, with its response when it is the first fault. */
type Fault = readonly [expected: object, fields: Record<string, string | undefined>];

/** For each fault: a request with this fault and all later ones. */
function withLater(faults: readonly Fault[]): readonly Fault[] {
  return faults.map(([expected], index) => [
    expected,
    Object.assign({}, ...faults.slice(index).map(([, fields]) => fields)),
  ]);
}

describe('authorize reports the first of several faults, in the order of the contract', () => {
  const known = (status: number, code: string, details?: object) =>
    details === undefined ? { status, code } : { status, code, details };

  async function expectFirstFaults(faults: readonly Fault[]): Promise<void> {
    for (const [expected, { provider = 'google', ...query }] of withLater(faults)) {
      expect(outcome(await scene.authorize(query, provider))).toEqual(expected);
    }
  }

  /** The checks before the token. */
  const first = (): readonly Fault[] => [
    [known(400, 'SCHEMA_ERROR', expect.anything()), { redirect_uri: 'not a url' }],
    [known(400, 'INVALID_OAUTH_CLIENT_ID_OR_SECRET', { client_id: unknownProject }), { client_id: unknownProject }],
    [known(401, 'INVALID_PUBLISHABLE_CLIENT_KEY', { project_id: scene.project.id }), { client_secret: 'pck_wrong' }],
    [known(400, 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED'), { provider: 'spotify' }],
  ];
  const link = (token: string) => ({ type: 'link', token, provider_scope: 'drive' });

  test('a malformed token before the scope', async () => {
    await expectFirstFaults([...first(), [known(401, 'UNPARSABLE_ACCESS_TOKEN'), link('x')]]);
  });

  test('an expired token before the scope', async () => {
    const { accessToken } = await scene.person();
    server.clock.advance(600_000);
    const expired = known(401, 'ACCESS_TOKEN_EXPIRED', { expired_at_millis: server.clock.now() });
    await expectFirstFaults([...first(), [expired, link(accessToken)]]);
  });

  test('a token of another project before the scope', async () => {
    const { accessToken } = await (await openOAuthScene(server)).person();
    await expectFirstFaults([...first(), [refused(403), link(accessToken)]]);
  });

  test('the scope last', async () => {
    const { accessToken } = await scene.person();
    await expectFirstFaults([
      ...first(),
      [known(400, 'OAUTH_EXTRA_SCOPE_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS'), link(accessToken)],
    ]);
  });
});

describe('the callback reports the first of several faults, in the order of the contract', () => {
  const elsewhere = { redirect_uri: 'https://evil.example/' };
  const denied = { error: 'access_denied' };
  const late = () => server.clock.advance(600_000);

  test('a missing cookie, before the time', async () => {
    const { state } = await scene.startFlow();
    late();
    expect(outcome(await scene.callCallback({ state, cookie: '' }, denied))).toEqual(refused(400));
  });

  test('the time, before the provider', async () => {
    const own = await openOAuthScene(server);
    const flow = await own.startFlow(elsewhere);
    await own.configure({ oauthProviders: [] });
    late();
    expect(outcome(await own.callCallback(flow, denied))).toEqual({ status: 408, code: 'OUTER_OAUTH_TIMEOUT' });
  });

  test('a removed provider, before its response', async () => {
    const own = await openOAuthScene(server);
    const flow = await own.startFlow(elsewhere);
    await own.configure({ oauthProviders: [] });
    const gone = { status: 400, code: 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED' };
    expect(outcome(await own.callCallback(flow, denied))).toEqual(gone);
  });

  test('the response of the provider, before the redirect URI', async () => {
    const answer = await scene.callCallback(await scene.startFlow({ ...elsewhere, scope: 'openid' }), denied);
    expect(outcome(answer)).toEqual({ status: 400, code: 'OAUTH_PROVIDER_ACCESS_DENIED' });
  });

  test('the redirect URI, before the account', async () => {
    const closed = await openOAuthScene(server, { signUpEnabled: false });
    const page = { error_redirect_url: 'http://localhost:3000/error' };
    const answer = await closed.completeFlow(newGithubUser(), { ...elsewhere, ...page });
    expect(outcome(answer)).toEqual(refused(400));
  });

  test('the sign-up switch, before the owner of the address', async () => {
    const closed = await openOAuthScene(server, { signUpEnabled: false });
    const person = newGithubUser({ isVerified: false });
    await closed.person({ primary_email: person.email, primary_email_auth_enabled: true });
    expect(outcome(await closed.completeFlow(person))).toEqual({ status: 400, code: 'SIGN_UP_NOT_ENABLED' });
  });

  test('of a link: another linked account, before the owner of this one', async () => {
    const person = newGithubUser();
    await scene.signIn(person);
    const other = { id: 'github', account_id: newGithubUser().id, email: null };
    const { accessToken: token } = await scene.person({ oauth_providers: [other] });
    expect(outcome(await scene.completeFlow(person, { type: 'link', token }))).toEqual({
      status: 409,
      code: 'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION',
    });
  });
});

describe('the code exchange reports the first of several faults, in the order of the contract', () => {
  const invalidClient = { status: 400, code: 'INVALID_OAUTH_CLIENT_ID_OR_SECRET', details: { client_id: null } };
  const schema = { status: 400, code: 'SCHEMA_ERROR', details: expect.anything() };
  const elsewhere: Fault = [
    { status: 400, code: 'REDIRECT_URL_NOT_WHITELISTED' },
    { redirect_uri: 'https://e.example/' },
  ];
  const nowhere: Fault = [invalidRequest, { redirect_uri: 'no uri' }];

  test.each([
    ['a redirect URI of another sign-in', elsewhere],
    ['a malformed redirect URI', nowhere],
  ])('up to %s', async (_, last) => {
    const faults: readonly Fault[] = [
      [schema, { grant_type: 'password' }],
      [invalidClient, { client_id: unknownProject }],
      [invalidClient, { client_secret: 'pck_wrong' }],
      [invalidCode, { code_verifier: 'wrong' }],
      last,
    ];
    const ofCode = [
      [invalidRequest, ''],
      [invalidCode, 'unknown'],
    ] as const;
    const code = await scene.code(newGithubUser());
    for (const [expected, fields] of withLater(faults))
      expect(outcome(await scene.exchange(code, fields))).toEqual(expected);
    for (const [expected, given] of ofCode) {
      expect(outcome(await scene.exchange(given, { ...last[1], code_verifier: 'wrong' }))).toEqual(expected);
      expect(outcome(await scene.exchange(given, { client_secret: 'pck_wrong' }))).toEqual(invalidClient);
    }
  });

  test('all faults before the second factor', async () => {
    const person = newGithubUser();
    const { user } = await scene.signIn(person);
    const body = { totp_secret_base64: totpOf.secretBase64 };
    await scene.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: user.id }, body });
    for (const [expected, fields] of [elsewhere, nowhere]) {
      const code = await scene.code(person);
      expect(outcome(await scene.exchange(code, fields))).toEqual(expected);
    }
  });
});
