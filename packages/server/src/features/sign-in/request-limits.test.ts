import { type rateLimits as limits, type Route, rateLimits } from '@tessera/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { openScene, plainPasswords, refused, type Scene } from './scene.fixtures.ts';

const passwords = plainPasswords();
let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer({ passwords });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, { passkeyEnabled: true, credentialEnabled: true });
});

const peerAddress = '203.0.113.7';
const tooMany = refused(429);

/** Sets a counter to its limit, with an hour until it ends. */
async function exhaust(limit: keyof typeof limits, who: string): Promise<void> {
  const key = `${limit}:${scene.project.id}:${who}`;
  const { points } = rateLimits[limit];
  await server.deps.db.query(
    sql`insert into rate_limits (key, points, expire) values (${key}, ${points}, ${Date.now() + 3_600_000})`,
  );
}

describe('control 70: requests without authentication are limited per address block', () => {
  test('starting a command-line login over the limit is refused with 429 and Retry-After', async () => {
    expect(await scene.call('POST /auth/cli', { peerAddress })).toMatchObject({ status: 200 });
    await server.deps.db.query(sql`delete from rate_limits`);
    await exhaust('cliLoginsPerAddress', peerAddress);
    const answer = await server.call('POST /auth/cli', { project: scene.project, peerAddress });
    expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(await scene.call('POST /auth/cli', { peerAddress: '203.0.113.8' })).toMatchObject({ status: 200 });
  });

  test('polling a command-line login over the limit is refused with 429', async () => {
    await exhaust('cliPollsPerAddress', peerAddress);
    const poll = (options: object) => scene.call('POST /auth/cli/poll', { ...options, body: { polling_code: 'none' } });
    expect(await poll({ peerAddress })).toEqual(tooMany);
    expect(await poll({ peerAddress, level: 'server' })).toMatchObject({ code: 'INVALID_POLLING_CODE' });
  });

  test('starting a passkey sign-in over the limit is refused with 429', async () => {
    await exhaust('passkeyChallengesPerAddress', peerAddress);
    expect(await scene.call('POST /auth/passkey/initiate-passkey-authentication', { peerAddress })).toEqual(tooMany);
  });

  test('starting a passkey registration over the limit is refused with 429', async () => {
    const { accessToken } = await scene.person();
    await exhaust('passkeyChallengesPerAddress', peerAddress);
    const initiate = 'POST /auth/passkey/initiate-passkey-registration';
    expect(await scene.call(initiate, { accessToken, peerAddress })).toEqual(tooMany);
  });
});

describe('control 70: successful sign-ins are limited', () => {
  const password = 'quiet lantern orbit';

  async function person() {
    const email = scene.address();
    const { id } = await scene.person({ primary_email: email, primary_email_auth_enabled: true, password });
    const signIn = (from: string | undefined) =>
      scene.call('POST /auth/password/sign-in', {
        ...(from === undefined ? {} : { peerAddress: from }),
        body: { email, password },
      });
    return { id, signIn };
  }

  test('over the limit of an account a sign-in is refused from every address, and opens no session', async () => {
    const { id, signIn } = await person();
    await exhaust('signInsPerAccount', id);
    expect(await signIn(peerAddress)).toEqual(tooMany);
    expect(await signIn('203.0.113.8')).toEqual(tooMany);
    expect(await scene.sessionsOf(id)).toBe(1);
  });

  test('over the limit of an account, which the process knows, a right password costs no comparison', async () => {
    const { id, signIn } = await person();
    await exhaust('signInsPerAccount', id);
    passwords.work.length = 0;
    expect([await signIn(peerAddress), await signIn(peerAddress), await signIn('203.0.113.8')]).toEqual(
      Array(3).fill(tooMany),
    );
    expect(passwords.work).toEqual(['compare']);
  });

  test('over the limit of an address block a sign-in is refused for every account', async () => {
    const [ada, eve] = [await person(), await person()];
    await exhaust('signInsPerAddress', peerAddress);
    expect([await ada.signIn(peerAddress), await eve.signIn(peerAddress)]).toEqual([tooMany, tooMany]);
    expect(await ada.signIn('203.0.113.8')).toMatchObject({ status: 200 });
  });

  test('over the limit a signed-in user changes no password and cannot reauthenticate with it', async () => {
    const { id, signIn } = await person();
    const { accessToken } = await scene.session(id);
    const reauthenticate = () =>
      scene.call('POST /extensions/reauthentication', { accessToken, peerAddress, body: { password } });
    const change = () =>
      scene.call('POST /auth/password/update', {
        accessToken,
        peerAddress,
        body: { old_password: password, new_password: 'quiet lantern comet' },
      });
    await exhaust('signInsPerAccount', `${id}:own`);
    expect([await reauthenticate(), await change()]).toEqual([tooMany, tooMany]);
    expect(await signIn(peerAddress)).toMatchObject({ status: 200 });
  });

  test.each<[string, Route, object]>([
    ['reauthentication', 'POST /extensions/reauthentication', { password }],
    ['password change', 'POST /auth/password/update', { old_password: password, new_password: 'quiet lantern comet' }],
  ])('the right password of a %s is counted, apart from sign-ins', async (_, route, body) => {
    const { id, signIn } = await person();
    const { accessToken } = await scene.session(id);
    await signIn(peerAddress);
    expect(await scene.call(route, { accessToken, peerAddress, body })).toMatchObject({ status: 200 });
    const counted = await server.deps.db.query(sql`select points from rate_limits where key like ${`%${id}:own`}`);
    expect(counted).toEqual([{ points: 1 }]);
  });

  test("sign-ins from a developer's own machine are not limited", async () => {
    const { id, signIn } = await person();
    await exhaust('signInsPerAccount', id);
    expect(await signIn('127.0.0.1')).toMatchObject({ status: 200 });
  });
});

test('control 70: invitations by others do not lock a person out of sign-in codes and password resets', async () => {
  const email = 'ada@example.com';
  const callback_url = 'http://localhost:3000/callback';
  const asServer = { level: 'server' } as const;
  const team = await scene.call('POST /teams', { ...asServer, body: { display_name: 'Eve' } });
  const body = { team_id: (team as { body?: { id: string } }).body?.id, email, callback_url };
  await exhaust('mailsPerRecipient', `${email}:invitation`);
  expect(await scene.call('POST /team-invitations/send-code', { ...asServer, body })).toEqual(tooMany);
  const asked = { body: { email, callback_url }, peerAddress };
  expect(await scene.call('POST /auth/otp/send-sign-in-code', asked)).toMatchObject({ status: 200 });
  expect(await scene.call('POST /auth/password/send-reset-code', asked)).toMatchObject({ status: 200 });
});

test('control 70: test emails of a project over the limit are refused with 429', async () => {
  await exhaust('testEmailsPerProject', 'all');
  const email_config = {
    host: 'mail.example.com',
    port: 587,
    username: 'u',
    password: 'p',
    sender_email: 'a@example.com',
    sender_name: 'A',
  };
  const body = { recipient_email: 'ada@example.com', email_config };
  expect(await scene.call('POST /internal/send-test-email', { level: 'admin', body })).toEqual(tooMany);
});
