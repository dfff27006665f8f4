import type { Route } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { TestServer } from '../../test/harness.ts';
import { newGithubUser, type OAuthScene, openGithubServer, openOAuthScene } from '../oauth/oauth.fixtures.ts';
import { callback, plainPasswords, success, used } from '../sign-in/scene.fixtures.ts';

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openGithubServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openOAuthScene(server, { credentialEnabled: true, anonymousUsersEnabled: true });
});

const settings = '/internal/extensions/sign-up-restrictions';
const restrict = (body: object, level: CallOptions['level'] = 'admin') =>
  scene.call(`PATCH ${settings}` as Route, { level, body });
const blockRivals = () => restrict({ blocked: ['rival.example'] });

const refused = { status: 403, code: 'EMAIL_ADDRESS_NOT_ALLOWED' };
const password = 'correct horse';
const signUp = (email: string, options: CallOptions = {}) =>
  scene.call('POST /auth/password/sign-up', {
    ...options,
    body: { email, password, verification_callback_url: callback },
  });
const sendCode = (email: string) =>
  scene.call('POST /auth/otp/send-sign-in-code', { body: { email, callback_url: callback } });
const redeem = (code: string, options: CallOptions = {}) =>
  scene.call('POST /auth/otp/sign-in', { ...options, body: { code } });
const member = (primary_email: string) =>
  scene.person({ primary_email, primary_email_auth_enabled: true, primary_email_verified: true, password });

async function usersWith(query: string): Promise<unknown[]> {
  const { json } = await server.call('GET /users', { project: scene.project, level: 'server', query: { query } });
  return z.object({ items: z.array(z.unknown()) }).parse(json).items;
}

describe('the setting sign-up-restrictions', () => {
  test('stores entries in one spelling, and equal entries once', async () => {
    const written = { allowed: ['Shop.Example', '@shop.example', '*.Bücher.example'], blocked: ['Eve@shop.example'] };
    const stored = { allowed: ['shop.example', '*.xn--bcher-kva.example'], blocked: ['eve@shop.example'] };
    expect(await restrict(written)).toEqual({ status: 200, body: stored });
  });

  test('holds 1,000 of the longest entries in each list', async () => {
    const host = `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.example`;
    const entries = (from: number) =>
      Array.from({ length: 1_000 }, (_, index) => `${'a'.repeat(54)}${from + index}.${host}`);
    const body = { allowed: entries(10_000), blocked: entries(20_000) };
    expect(body.allowed[0]).toHaveLength(253);
    expect(await restrict(body)).toEqual({ status: 200, body });
    expect(await signUp(`eve@${body.blocked[999]}`)).toEqual(refused);
    expect(await signUp(`ada@${body.allowed[999]}`)).toMatchObject({ status: 200 });
  });

  test('a change is recorded with the entries before and after', async () => {
    await blockRivals();
    const answer = await server.call('GET /internal/extensions/audit-log', {
      project: scene.project,
      level: 'admin',
      query: { action: 'project.config_changed' },
    });
    expect(answer.json).toMatchObject({
      items: [
        {
          before: { sign_up_restrictions: { allowed: [], blocked: [] } },
          after: { sign_up_restrictions: { allowed: [], blocked: ['rival.example'] } },
        },
      ],
    });
  });
});

describe('sign-up with a password', () => {
  test.each(['client', 'server', 'admin'] as const)('is refused for a blocked domain at level %s', async level => {
    await blockRivals();
    expect(await signUp('Eve@Rival.example', { level })).toEqual(refused);
    expect(await usersWith('rival')).toEqual([]);
    expect((await signUp('ada@shop.example', { level })).status).toBe(200);
  });

  test('is refused in the same way whether or not the address has an account', async () => {
    await signUp('eve@rival.example');
    await blockRivals();
    expect([await signUp('eve@rival.example'), await signUp('new@rival.example')]).toEqual([refused, refused]);
  });

  test('is accepted for the allowed addresses only', async () => {
    await restrict({ allowed: ['shop.example', '*.shop.example', 'eve@rival.example'], blocked: ['rival.example'] });
    const addresses = [
      'ada@shop.example',
      'ada@de.shop.example',
      'eve@rival.example',
      'bob@rival.example',
      'a@b.example',
    ];
    const statuses = await Promise.all(addresses.map(async address => (await signUp(address)).status));
    expect(statuses).toEqual([200, 200, 200, 403, 403]);
  });

  test('of an invited address needs an address that may sign up', async () => {
    await blockRivals();
    const admin = await scene.person();
    const team = await server.call('POST /teams', {
      project: scene.project,
      level: 'server',
      body: { display_name: 'Team', creator_user_id: admin.id },
    });
    const { id: team_id } = z.object({ id: z.string() }).parse(team.json);
    const body = { team_id, email: 'eve@rival.example', callback_url: callback };
    const invited = await scene.call('POST /team-invitations/send-code', { accessToken: admin.accessToken, body });
    expect(invited).toMatchObject({ status: 200 });
    expect(await signUp('eve@rival.example')).toEqual(refused);
    expect(await sendCode('eve@rival.example')).toEqual(refused);
  });

  test('that is refused is in the audit log with its reason', async () => {
    await blockRivals();
    await signUp('eve@rival.example');
    const query = { action: 'sign_in.refused' };
    const options = { project: scene.project, level: 'admin', query } as const;
    const answer = await server.call('GET /internal/extensions/audit-log', options);
    expect(answer.json).toMatchObject({ items: [{ details: { reason: 'EMAIL_ADDRESS_NOT_ALLOWED' } }] });
  });
});

describe('sign-in by code', () => {
  test('sends no code to a blocked address without an account, before it checks the callback', async () => {
    await blockRivals();
    const body = { email: 'eve@rival.example', callback_url: 'https://evil.example/' };
    expect(await scene.call('POST /auth/otp/send-sign-in-code', { body })).toEqual(refused);
    expect(await scene.takeEmails()).toEqual([]);
  });

  test('works for an existing user whose address is blocked', async () => {
    const eve = await member('eve@rival.example');
    await blockRivals();
    expect(await sendCode('eve@rival.example')).toMatchObject({ status: 200 });
    const signedIn = await redeem(await scene.emailedCode());
    expect(signedIn).toMatchObject({ status: 200, body: { user_id: eve.id, is_new_user: false } });
  });

  test('creates no account with a code that was sent before the address was blocked', async () => {
    await sendCode('eve@rival.example');
    const code = await scene.emailedCode();
    await blockRivals();
    expect([await redeem(code), await redeem(code)]).toEqual([refused, used]);
    expect(await usersWith('rival')).toEqual([]);
  });
});

describe('sign-in with a provider', () => {
  const eve = () => newGithubUser({ email: 'Eve@Rival.example' });

  test('is refused for a new user with a blocked address, with the error page where there is one', async () => {
    await blockRivals();
    expect(outcome(await scene.completeFlow(eve()))).toEqual(refused);
    const error_redirect_url = 'http://localhost:3000/error';
    const { headers } = await scene.completeFlow(eve(), { error_redirect_url });
    expect(headers.get('location')).toMatch(/\/error\?errorCode=EMAIL_ADDRESS_NOT_ALLOWED&message=.+&details=%7B%7D$/);
  });

  test('is refused without an address where only others are allowed', async () => {
    await restrict({ allowed: ['shop.example'] });
    expect(outcome(await scene.completeFlow(newGithubUser({ email: null })))).toEqual(refused);
  });

  test('is refused when the address is blocked between the callback and the code exchange', async () => {
    const code = await scene.code(eve());
    await blockRivals();
    expect(outcome(await scene.exchange(code))).toEqual(refused);
    expect(await usersWith('rival')).toEqual([]);
  });

  test('works for existing users, by their provider account and by a merge', async () => {
    const [linked, other] = [eve(), newGithubUser({ email: 'bob@rival.example' })];
    const { user } = await scene.signIn(linked);
    const bob = await member('bob@rival.example');
    await blockRivals();
    expect(await scene.signIn(linked)).toMatchObject({ isNewUser: false, user: { id: user.id } });
    expect(await scene.signIn(other)).toMatchObject({ isNewUser: false, user: { id: bob.id } });
  });

  test('that is refused does not count as a sign-up of the address block', async () => {
    await restrict({ blocked: ['rival.example'] });
    await scene.call('PATCH /internal/extensions/limits', { level: 'admin', body: { sign_ups_per_address: 1 } });
    expect(outcome(await scene.completeFlow(eve()))).toEqual(refused);
    expect((await signUp('ada@shop.example')).status).toBe(200);
  });
});

describe('an anonymous user', () => {
  test('is created, also where only some addresses are allowed', async () => {
    await restrict({ allowed: ['shop.example'] });
    expect((await scene.call('POST /auth/anonymous/sign-up')).status).toBe(200);
  });

  test('is not upgraded with a blocked address, by any method', async () => {
    const ada = await scene.anonymous();
    await sendCode('eve@rival.example');
    const code = await scene.emailedCode();
    await blockRivals();
    expect(await signUp('eve@rival.example', { accessToken: ada.accessToken })).toEqual(refused);
    expect(await redeem(code, { accessToken: ada.accessToken })).toEqual(refused);
    const flow = scene.completeFlow(newGithubUser({ email: 'eve@rival.example' }), { token: ada.accessToken });
    expect(outcome(await flow)).toEqual(refused);
    expect(await scene.userById(ada.id)).toMatchObject({ is_anonymous: true, primary_email: null });
  });
});

describe('a contact channel', () => {
  const route = '/contact-channels/{user_id}/{contact_channel_id}' as const;
  const add = (userId: string, value: string, options: CallOptions, fields: object = {}) => {
    const body = { user_id: userId, value, type: 'email', used_for_auth: false, ...fields };
    return server.call('POST /contact-channels', { project: scene.project, ...options, body });
  };
  const channelId = async (adding: ReturnType<typeof add>) =>
    z.object({ id: z.string() }).parse((await adding).json).id;

  test('with a blocked address is not added by a user, but by a server', async () => {
    await blockRivals();
    const { id, accessToken } = await member('ada@shop.example');
    for (const used_for_auth of [true, false]) {
      expect(outcome(await add('me', 'ada@rival.example', { accessToken }, { used_for_auth }))).toEqual(refused);
    }
    expect((await add('me', 'ada@other.example', { accessToken })).status).toBe(201);
    expect((await add(id, 'ada@rival.example', { level: 'server' })).status).toBe(201);
  });

  test('is not changed to a blocked address by a user, but by a server', async () => {
    await blockRivals();
    const { id, accessToken } = await member('ada@shop.example');
    const params = {
      user_id: id,
      contact_channel_id: await channelId(add(id, 'ada@other.example', { level: 'server' })),
    };
    const change = (options: CallOptions) =>
      scene.call(`PATCH ${route}`, { ...options, params, body: { value: 'ada@rival.example' } });
    expect(await change({ accessToken })).toEqual(refused);
    expect(await change({ level: 'server' })).toMatchObject({ status: 200 });
  });

  test('that a user had before keeps working, and does not become a sign-in address', async () => {
    const { id, accessToken } = await member('ada@rival.example');
    const other = await channelId(add('me', 'ada2@rival.example', { accessToken }));
    await blockRivals();
    const params = { user_id: id, contact_channel_id: other };
    const change = (body: object) => scene.call(`PATCH ${route}`, { accessToken, params, body });
    expect(await change({ used_for_auth: true })).toEqual(refused);
    expect(await change({ is_primary: true })).toMatchObject({ status: 200 });
    expect(await scene.call(`DELETE ${route}`, { accessToken, params })).toEqual(success);
  });
});

test('servers create and import users with any address, and these users sign in', async () => {
  await restrict({ allowed: ['shop.example'], blocked: ['rival.example'] });
  await member('eve@rival.example');
  const users = [
    { primary_email: 'bob@rival.example', primary_email_auth_enabled: true, primary_email_verified: true },
  ];
  const imported = await scene.call('POST /internal/extensions/users/import', {
    level: 'admin',
    body: { is_dry_run: false, on_conflict: 'skip', users },
  });
  expect(imported).toMatchObject({ status: 200 });
  const body = { email: 'eve@rival.example', password };
  expect(await scene.call('POST /auth/password/sign-in', { body })).toMatchObject({ status: 200 });
  expect(await sendCode('bob@rival.example')).toMatchObject({ status: 200 });
});

test('the restrictions of one project do not concern another', async () => {
  await blockRivals();
  const other = await server.make.project();
  expect((await server.make.user({ project: other, email: 'eve@rival.example' })).email).toBe('eve@rival.example');
});
