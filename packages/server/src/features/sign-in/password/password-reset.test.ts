import { passwordResetLifetimeMs } from '@tessera/protocol';
import { aSecret, stableHeaders } from '@tessera/testing/outcome';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { whileDeleting } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { addWebhookEndpoint } from '../../../test/webhook-endpoint.ts';
import {
  callback,
  expired,
  invalid,
  isValid,
  noCode,
  notFound,
  openScene,
  plainPasswords,
  success,
  tooMany,
  untrusted,
  used,
} from '../scene.fixtures.ts';
import { maybe, next, old, openResetScene, type ResetScene, secret } from './reset-scene.fixtures.ts';

let server: TestServer;
let scene: ResetScene;
const passwords = plainPasswords();
beforeAll(async () => {
  server = await openTestServer({ passwords });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openResetScene(server);
});

const off = { status: 400, code: 'PASSWORD_AUTHENTICATION_NOT_ENABLED' };
const tooShort = { status: 400, code: 'PASSWORD_TOO_SHORT', details: { min_length: 8 } };

describe('POST /auth/password/send-reset-code', () => {
  test.each(['client', 'server', 'admin'] as const)('sends a link at level %s', async level => {
    await scene.account({ display_name: 'Ada' });
    expect(await scene.send(scene.email, {}, { level })).toEqual(maybe);
    const [message, ...more] = await scene.takeEmails();
    expect(more).toEqual([]);
    const link = message?.variables.passwordResetLink ?? '';
    expect(new URL(link).searchParams.get('code')).toEqual(aSecret);
    expect(message).toEqual({
      template: 'password_reset',
      recipient: scene.email,
      variables: {
        passwordResetLink: `http://localhost:3000/handler?code=${new URL(link).searchParams.get('code')}&from=mail`,
        userDisplayName: 'Ada',
      },
    });
  });

  test.each([
    ['without a password', { password: null }],
    ['whose address is not verified', { primary_email_verified: false }],
    ['without a display name', { display_name: null }],
  ])('sends a link to a user %s too', async (_, more) => {
    await scene.account(more);
    expect(await scene.send()).toEqual(maybe);
    expect(await scene.takeEmails()).toMatchObject([{ recipient: scene.email }]);
  });

  test('control 73: finds the account in any spelling of the address', async () => {
    await scene.account();
    expect(await scene.send(scene.email.toUpperCase())).toEqual(maybe);
    expect(await scene.takeEmails()).toMatchObject([{ recipient: scene.email }]);
  });

  test('a reset email for an unknown address is answered with 200 and not sent', async () => {
    await scene.person({ primary_email: scene.email });
    expect(await scene.send()).toEqual(maybe);
    expect(await scene.send('')).toEqual(maybe);
    expect(await scene.takeEmails()).toEqual([]);
  });

  test('control 20: an account of another project gets no email', async () => {
    await scene.account();
    const elsewhere = await openScene(server);
    expect(
      await elsewhere.call('POST /auth/password/send-reset-code', {
        body: { email: scene.email, callback_url: callback },
      }),
    ).toEqual(maybe);
    expect([await scene.takeEmails(), await elsewhere.takeEmails()]).toEqual([[], []]);
  });

  test.each(['https://evil.example/', 'http://localhost.evil.example/', 'http://[::1]/'])(
    'control 2: the untrusted callback %s is refused for a known and an unknown address alike',
    async callback_url => {
      await scene.account();
      expect(await scene.send(scene.email, { callback_url })).toEqual(untrusted);
      expect(await scene.send(scene.address(), { callback_url })).toEqual(untrusted);
      expect(await scene.takeEmails()).toEqual([]);
    },
  );

  test('checks first whether passwords are on', async () => {
    await scene.account();
    await scene.configure({ credentialEnabled: false });
    expect(await scene.send(scene.email, { callback_url: 'https://evil.example/' })).toEqual(off);
    expect(await scene.send('unknown@example.com')).toEqual(off);
  });

  test.each([
    { email: 'nonsense' },
    { email: ' ada@example.com' },
    { email: undefined },
    { callback_url: '/relative' },
    { callback_url: 'http://localhost/a b' },
    { callback_url: undefined },
    { more: 1 },
  ])('a body of %j is refused', async body => {
    expect(await scene.send(scene.email, body)).toEqual(invalid);
  });

  describe('control 13: an unknown address', () => {
    async function answerTo(address: string) {
      const statements: string[] = [];
      const query = vi.spyOn(pg.Client.prototype, 'query');
      passwords.work.length = 0;
      const answer = await server.call('POST /auth/password/send-reset-code', {
        project: scene.project,
        body: { email: address, callback_url: callback },
      });
      for (const [statement] of query.mock.calls as unknown as [string | { text: string }][]) {
        statements.push(typeof statement === 'string' ? statement : statement.text.replaceAll(/\s+/g, ' ').trim());
      }
      query.mockRestore();
      const ends = /^(release|rollback to) savepoint/;
      const { status, headers, text } = answer;
      return {
        answer: { status, headers: stableHeaders(headers), text },
        statements: statements.map(statement => statement.replace(ends, 'the end of savepoint')),
        hashes: [...passwords.work],
      };
    }

    test('gets the same response, with the same statements and no hashes', async () => {
      await scene.account();
      // The first use of a key writes an audit event.
      await answerTo('someone@example.com');
      const known = await answerTo(scene.email);
      const unknown = await answerTo('unknown@example.com');
      expect(unknown.answer).toEqual(known.answer);
      expect(unknown.statements).toEqual(known.statements);
      expect([known.hashes, unknown.hashes]).toEqual([[], []]);
    });

    test('gets no email', async () => {
      await answerTo('unknown@example.com');
      expect(await scene.takeEmails()).toEqual([]);
    });
  });

  test('a user who is deleted during the request does not cause a 500', async () => {
    const ada = await scene.account();
    expect(await whileDeleting(server, ada.id, () => scene.send())).toEqual(maybe);
    expect(await scene.takeEmails()).toEqual([]);
  });
});

describe('POST /auth/password/reset', () => {
  test.each(['client', 'server', 'admin'] as const)('replaces the password at level %s', async level => {
    const ada = await scene.account();
    expect(await scene.reset(await scene.sentCode(), next, { level })).toEqual(success);
    expect(await scene.signIn(next)).toMatchObject({ status: 200, body: { user_id: ada.id } });
    expect(await scene.signIn(old)).toEqual({ status: 400, code: 'EMAIL_PASSWORD_MISMATCH' });
  });

  test('sets a first password for a user without one', async () => {
    const ada = await scene.account({ password: null });
    expect(await scene.reset(await scene.sentCode())).toEqual(success);
    expect(await scene.signIn(next)).toMatchObject({ status: 200, body: { user_id: ada.id } });
  });

  test('control 32: ends all sessions, and opens none', async () => {
    const ada = await scene.account();
    const second = await scene.session(ada.id);
    expect(await scene.reset(await scene.sentCode())).toEqual(success);
    expect([await scene.isLive(ada), await scene.isLive(second)]).toEqual([false, false]);
    expect(await scene.sessionsOf(ada.id)).toBe(0);
  });

  test.each([true, false])(
    'a completed reset leaves the address verified (verified before: %s)',
    async primary_email_verified => {
      const ada = await scene.account({ primary_email_verified });
      await scene.reset(await scene.sentCode());
      expect(await scene.userById(ada.id)).toMatchObject({ primary_email_verified: true, has_password: true });
    },
  );

  test('publishes user.updated', async () => {
    const ada = await scene.account();
    const code = await scene.sentCode();
    await addWebhookEndpoint(server.deps.db, scene.project.id);
    await scene.reset(code);
    const events = await server.deps.db.query(
      sql`select type, data from webhook_events where project_id = ${scene.project.id}`,
    );
    expect(events).toEqual([{ type: 'user.updated', data: await scene.userById(ada.id) }]);
  });

  test('a code works once', async () => {
    await scene.account();
    const code = await scene.sentCode();
    expect(await scene.reset(code)).toEqual(success);
    expect(await scene.reset(code, 'yet another password')).toEqual(used);
    expect(await scene.check(code)).toEqual(used);
    expect(await scene.signIn(next)).toMatchObject({ status: 200 });
  });

  test('control 16: of 100 concurrent uses of one code one works', async () => {
    await scene.account();
    const code = await scene.sentCode();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => scene.reset(code, `password ${index}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toEqual([success]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await scene.signIn(`password ${winner}`)).toMatchObject({ status: 200 });
  });

  test('of several open codes each works once', async () => {
    await scene.account();
    const [first, second] = [await scene.sentCode(), await scene.sentCode()];
    expect([await scene.reset(second), await scene.reset(first)]).toEqual([success, success]);
  });

  test('a code is spent by a password that is too short', async () => {
    await scene.account();
    const code = await scene.sentCode();
    expect(await scene.reset(code, '1234567')).toEqual(tooShort);
    expect(await scene.reset(code)).toEqual(used);
    expect(await scene.signIn(old)).toMatchObject({ status: 200 });
  });

  test('a code is spent when passwords were switched off meanwhile', async () => {
    await scene.account();
    const code = await scene.sentCode();
    await scene.configure({ credentialEnabled: false });
    expect(await scene.reset(code, '1234567')).toEqual(off);
    expect(await scene.check(code)).toEqual(used);
  });

  test('a body that fails the schema does not spend the code', async () => {
    await scene.account();
    const code = await scene.sentCode();
    for (const password of [null, [], 'x'.repeat(71)]) expect(await scene.reset(code, password)).toEqual(invalid);
    expect(await scene.reset(code.slice(1))).toEqual(invalid);
    expect(await scene.reset(`${code}0`)).toEqual(invalid);
    expect(await scene.reset(code)).toEqual(success);
  });

  test('a code in capitals is accepted', async () => {
    await scene.account();
    expect(await scene.reset((await scene.sentCode()).toUpperCase())).toEqual(success);
  });

  test('control 17: a code expires after an hour', async () => {
    await scene.account();
    const [code, late] = [await scene.sentCode(), await scene.sentCode()];
    server.clock.advance(passwordResetLifetimeMs - 1);
    expect(await scene.reset(code)).toEqual(success);
    server.clock.advance(1);
    expect([await scene.reset(late), await scene.check(late)]).toEqual([expired, expired]);
  });

  test('control 20: codes of another kind or project are refused', async () => {
    const ada = await scene.account();
    const { id: userId } = ada;
    const others = [
      await scene.code('sign_in', { address: scene.email, data: {} }),
      await scene.code('email_verification', { userId, address: scene.email, data: {} }),
      await scene.code('mfa_attempt', { userId, data: { isNewUser: false } }),
      await (await openScene(server)).code('password_reset', { address: scene.email, data: {} }),
      noCode,
    ];
    for (const code of others) expect([await scene.reset(code), await scene.check(code)]).toEqual([notFound, notFound]);
  });

  test('control 21: a code ends when its address leaves the account', async () => {
    const ada = await scene.account();
    const code = await scene.sentCode();
    const more = await scene.sentCode();
    await scene.call('PATCH /users/{user_id}', {
      level: 'server',
      params: { user_id: ada.id },
      body: { primary_email: scene.address() },
    });
    expect([await scene.check(more), await scene.reset(code)]).toEqual([notFound, notFound]);
    expect(await scene.isLive(ada)).toBe(true);
  });

  test('control 10: sends a notice to the primary address and to the address of the code', async () => {
    const ada = await scene.account();
    await scene.takeEmails();
    await scene.reset(await scene.sentCode());
    expect(await scene.takeEmails()).toEqual([{ template: 'password_changed', recipient: scene.email, variables: {} }]);

    const other = scene.address();
    const body = { user_id: ada.id, value: other, type: 'email', used_for_auth: true, is_verified: true };
    await scene.call('POST /contact-channels', { level: 'server', body });
    await scene.send(other);
    await scene.reset(await scene.emailedCode(), 'yet another password');
    const told = (await scene.takeEmails()).map(({ template, recipient }) => [template, recipient]);
    expect(told.sort()).toEqual(
      [
        ['password_changed', scene.email],
        ['password_changed', other],
      ].sort(),
    );
  });

  test('a first password sends the notice of a first password', async () => {
    await scene.account({ password: null });
    await scene.reset(await scene.sentCode());
    expect(await scene.takeEmails()).toEqual([{ template: 'password_added', recipient: scene.email, variables: {} }]);
  });

  test('control 12: a reset of a verified account keeps the second factor, and a sign-in requires it', async () => {
    const ada = await scene.account({ totp_secret_base64: secret });
    expect(await scene.reset(await scene.sentCode())).toEqual(success);
    expect(await scene.userById(ada.id)).toMatchObject({ requires_totp_mfa: true });
    expect(await scene.signIn(next)).toMatchObject({ status: 400, code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' });
  });

  test('a user who is deleted during the reset does not cause a 500', async () => {
    const ada = await scene.account();
    const code = await scene.sentCode();
    expect(await whileDeleting(server, ada.id, () => scene.reset(code))).toMatchObject({
      status: expect.toSatisfy(isRefusal),
    });
    expect(await scene.reset(code)).toEqual(notFound);
  });
});

const isRefusal = (status: number) => status >= 400 && status < 500;

describe('POST /auth/password/reset/check-code', () => {
  test.each(['client', 'server', 'admin'] as const)('checks a code at level %s', async level => {
    await scene.account();
    expect(await scene.check(await scene.sentCode(), { level })).toEqual(isValid);
  });

  test('control 18: a check does not spend the code, and counts as an attempt', async () => {
    await scene.account();
    const [code, other] = [await scene.sentCode(), await scene.sentCode()];
    for (let count = 0; count < 19; count++) expect(await scene.check(code)).toEqual(isValid);
    expect(await scene.reset(code)).toEqual(success);
    for (let count = 0; count < 20; count++) expect(await scene.check(other)).toEqual(isValid);
    expect([await scene.check(other), await scene.reset(other)]).toEqual([tooMany, tooMany]);
  });

  test.each([{ code: noCode.slice(1) }, { code: `${noCode}0` }, { code: null }, {}, { code: noCode, more: 1 }])(
    'a body of %j is refused',
    async body => {
      expect(await scene.call('POST /auth/password/reset/check-code', { body })).toEqual(invalid);
    },
  );
});
