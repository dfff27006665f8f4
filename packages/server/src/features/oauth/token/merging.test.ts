import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProjectConfig } from '../../../core/project-config.ts';
import type { TestServer } from '../../../test/harness.ts';
import { plainPasswords } from '../../sign-in/scene.fixtures.ts';
import { totpOf } from '../../sign-in/totp.fixtures.ts';
import { createBrowser } from '../browser.fixtures.ts';
import {
  appCallback,
  codeOf,
  type FakeGithubUser,
  newGithubUser,
  type OAuthScene,
  openGithubServer,
  openOAuthScene,
} from '../oauth.fixtures.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openGithubServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());

const errorPage = 'http://localhost:3000/handler/error';

/** From the app to GitHub, which accepts, and back. @returns the URL at the end */
async function signInThroughGithub(scene: OAuthScene, person: FakeGithubUser): Promise<URL> {
  const browser = createBrowser({
    app: server.app,
    stopAt: 'http://localhost:3000',
    others: { 'https://github.com': async ({ url }) => Response.redirect(callbackUrl(new URL(url), person), 302) },
  });
  const query = new URLSearchParams(Object.entries(scene.authorizeQuery()) as [string, string][]);
  query.set('error_redirect_url', errorPage);
  const page = await browser.open(`http://localhost:4280/api/v1/auth/oauth/authorize/github?${query}`);
  return new URL(page.url);
}

function callbackUrl({ searchParams }: URL, person: FakeGithubUser): string {
  const back = new URL(searchParams.get('redirect_uri') ?? '');
  back.searchParams.set('state', searchParams.get('state') ?? '');
  back.searchParams.set('code', codeOf(person));
  return back.href;
}

/** The result of a sign-in with an address that a user of the project has already. */
async function mergeResult(
  config: Partial<ProjectConfig>,
  { existing, isVouchedFor }: { existing: object; isVouchedFor: boolean },
) {
  const scene = await openOAuthScene(server, config);
  const person = newGithubUser({ isVerified: isVouchedFor });
  const address = person.email ?? '';
  const { id } = await scene.person({ display_name: 'Before', primary_email: address, ...existing });
  const before = (await scene.userById(id)) as object;
  const end = await signInThroughGithub(scene, person);
  const account = { id: 'github', account_id: person.id, email: address };
  return {
    end,
    ...(await entered(scene, end)),
    address,
    account,
    owner: { id, before, after: await scene.userById(id) },
  };
}

/** The user whom the code signs in, in the server view. */
async function entered(scene: OAuthScene, { searchParams }: URL) {
  const code = searchParams.get('code');
  if (code === null) return {};
  const { access_token: accessToken, is_new_user: isNew } = (await scene.exchange(code)).json as Record<string, string>;
  return { isNew, user: (await server.call('GET /users/me', { ...asServer(scene), accessToken })).json };
}

const asServer = ({ project }: OAuthScene) => ({ project, level: 'server' }) as const;

const verified = { primary_email_auth_enabled: true, primary_email_verified: true };
const unverified = { primary_email_auth_enabled: true, primary_email_verified: false };
const noted = { primary_email_auth_enabled: false, primary_email_verified: true };
const [vouchedFor, notVouchedFor] = [true, false];

type Row = readonly [ProjectConfig['oauthAccountMergeStrategy'], typeof verified, boolean];

const merged: readonly Row[] = [['link_method', verified, vouchedFor]];

const refused: readonly Row[] = [
  ['link_method', verified, notVouchedFor],
  ['link_method', unverified, vouchedFor],
  ['link_method', unverified, notVouchedFor],
  ['raise_error', verified, vouchedFor],
  ['raise_error', verified, notVouchedFor],
  ['raise_error', unverified, vouchedFor],
  ['raise_error', unverified, notVouchedFor],
];

const duplicated: readonly Row[] = [
  ['allow_duplicates', verified, vouchedFor],
  ['allow_duplicates', verified, notVouchedFor],
  ['allow_duplicates', unverified, vouchedFor],
  ['allow_duplicates', unverified, notVouchedFor],
];

/** The address is not used for sign-in, so no strategy applies. */
const separate: readonly Row[] = (['link_method', 'raise_error', 'allow_duplicates'] as const).flatMap(strategy => [
  [strategy, noted, vouchedFor] as const,
  [strategy, noted, notVouchedFor] as const,
]);

describe('a provider account with the address of an existing user', () => {
  test.each(merged)('control 55: %s, %j, verified by the provider: %s: it is merged into the user', async (...row) => {
    const [oauthAccountMergeStrategy, existing, isVouchedFor] = row;
    const { isNew, user, account, owner } = await mergeResult(
      { oauthAccountMergeStrategy },
      { existing, isVouchedFor },
    );
    expect(isNew).toBe(false);
    expect(user).toMatchObject({ id: owner.id });
    expect(owner.after).toEqual({
      ...owner.before,
      oauth_providers: [account],
      last_active_at_millis: expect.any(Number),
    });
  });

  test.each(refused)('control 55: %s, %j, verified by the provider: %s: refused', async (...row) => {
    const [oauthAccountMergeStrategy, existing, isVouchedFor] = row;
    const { end, user, address, owner } = await mergeResult({ oauthAccountMergeStrategy }, { existing, isVouchedFor });
    expect(end.origin + end.pathname).toBe(errorPage);
    expect(Object.fromEntries(end.searchParams)).toEqual({
      errorCode: 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
      message: expect.any(String),
      details: JSON.stringify({ type: 'email', contact_channel_value: address }),
    });
    expect(user).toBeUndefined();
    expect(owner.after).toEqual(owner.before);
  });

  test.each([...duplicated.map(row => [...row, false] as const), ...separate.map(row => [...row, true] as const)])(
    '%s, %j, verified by the provider: %s: a separate user, whose address signs in: %s',
    async (...row) => {
      const [oauthAccountMergeStrategy, existing, isVouchedFor, signsIn] = row;
      const { isNew, user, address, account, owner } = await mergeResult(
        { oauthAccountMergeStrategy },
        { existing, isVouchedFor },
      );
      expect(isNew).toBe(true);
      expect(user).toMatchObject({
        id: expect.not.stringMatching(owner.id),
        primary_email: address,
        primary_email_verified: isVouchedFor,
        primary_email_auth_enabled: signsIn,
        oauth_providers: [account],
      });
      expect(owner.after).toEqual(owner.before);
    },
  );

  test.each([...merged, ...refused, ...duplicated, ...separate])(
    'while sign-up is off it is refused: %s, %j, verified by the provider: %s',
    async (oauthAccountMergeStrategy, existing, isVouchedFor) => {
      const closed = { oauthAccountMergeStrategy, signUpEnabled: false };
      const { end, user, owner } = await mergeResult(closed, { existing, isVouchedFor });
      expect(end.searchParams.get('errorCode')).toBe('SIGN_UP_NOT_ENABLED');
      expect(user).toBeUndefined();
      expect(owner.after).toEqual(owner.before);
    },
  );
});

test('a sign-in with an unknown address redirects to the app with its state', async () => {
  const scene = await openOAuthScene(server);
  const end = await signInThroughGithub(scene, newGithubUser());
  expect(end.origin + end.pathname).toBe(appCallback);
  expect(end.searchParams.get('state')).toBe('state of the app');
});

describe('a merge into an account with a second factor', () => {
  /** Signs in with a provider account that has the verified address of a user with TOTP. */
  async function beginMerge() {
    const scene = await openOAuthScene(server);
    const person = newGithubUser({ isVerified: true });
    const user = { primary_email: person.email ?? '', ...verified, totp_secret_base64: totpOf.secretBase64 };
    const { id } = await scene.person(user);
    const code = (await signInThroughGithub(scene, person)).searchParams.get('code') ?? '';
    const refused = await scene.exchange(code);
    const { details } = refused.json as { details?: { attempt_code?: string } };
    const providersOf = async () => ((await scene.userById(id)) as { oauth_providers: unknown }).oauth_providers;
    return { scene, person, id, attemptCode: details?.attempt_code ?? '', providersOf };
  }

  test('links the provider account after the second factor, not before', async () => {
    const { scene, person, id, attemptCode, providersOf } = await beginMerge();
    expect(await providersOf()).toEqual([]);
    const body = { type: 'totp', totp: totpOf.now(server.clock.now()), code: attemptCode };
    expect(await scene.call('POST /auth/mfa/sign-in', { body })).toMatchObject({ status: 200, body: { user_id: id } });
    expect(await providersOf()).toEqual([{ id: 'github', account_id: person.id, email: person.email }]);
  });

  test('refuses the sign-in when another user links the provider account before the second factor', async () => {
    const { scene, person, id, attemptCode, providersOf } = await beginMerge();
    const { accessToken: token } = await scene.person();
    await scene.signIn(person, { type: 'link', token });
    const body = { type: 'totp', totp: totpOf.now(server.clock.now()), code: attemptCode };
    expect(await scene.call('POST /auth/mfa/sign-in', { body })).toMatchObject({
      code: 'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER',
    });
    expect(await providersOf()).toEqual([]);
    expect(await scene.sessionsOf(id)).toBe(1);
  });

  test('leaves the account unchanged while the second factor is wrong', async () => {
    const { scene, attemptCode, providersOf } = await beginMerge();
    const body = { type: 'totp', totp: '000000', code: attemptCode };
    expect(await scene.call('POST /auth/mfa/sign-in', { body })).toMatchObject({ code: 'INVALID_TOTP_CODE' });
    expect(await providersOf()).toEqual([]);
  });
});

describe('the methods of the existing account', () => {
  const asking = `${errorPage}?provider=github&account_methods=`;

  /** The error page after a refused sign-in with the address of a user who has a password and a Google account. */
  async function errorPageOf({ isVouchedFor, page }: { isVouchedFor: boolean; page: string }) {
    const scene = await openOAuthScene(server, { oauthAccountMergeStrategy: 'raise_error', credentialEnabled: true });
    const person = newGithubUser({ isVerified: isVouchedFor });
    const oauth_providers = [{ id: 'google', account_id: '7', email: null }];
    await scene.person({
      primary_email: person.email ?? '',
      ...verified,
      password: 'quiet lantern orbit',
      oauth_providers,
    });
    const answer = await scene.completeFlow(person, { error_redirect_url: page });
    return new URL(answer.headers.get('location') ?? '').searchParams;
  }

  test('are in the error URL that asks for them', async () => {
    const parameters = await errorPageOf({ isVouchedFor: true, page: asking });
    expect(parameters.get('account_methods')).toBe('password,google');
    expect(parameters.get('provider')).toBe('github');
  });

  test('stay unknown to a caller whose provider has not verified the address', async () => {
    const parameters = await errorPageOf({ isVouchedFor: false, page: asking });
    expect(parameters.get('account_methods')).toBe('');
  });

  test('are not added to an error URL that does not ask', async () => {
    expect((await errorPageOf({ isVouchedFor: true, page: errorPage })).has('account_methods')).toBe(false);
  });
});
