import { aSecret, aToken } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { allAtOnce, whileHolding } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { deleteSessions } from '../../sessions/index.ts';
import { bodyOf } from '../passkey/ceremonies.fixtures.ts';
import { openScene, type Person, plainPasswords, refused, type Scene, tooMany, used } from '../scene.fixtures.ts';
import { hashRecoveryCode } from './recovery-code-secrets.ts';

const password = 'correct horse';
const secret = Buffer.from('12345678901234567890').toString('base64');
const wrongCode = { status: 400, code: 'INVALID_RECOVERY_CODE' };

let server: TestServer;
let scene: Scene;
let email: string;
let ada: Person;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  email = scene.address();
  ada = await personWithSecondFactor(email);
  await scene.takeEmails();
});

const personWithSecondFactor = (address: string) =>
  scene.person({ primary_email: address, primary_email_auth_enabled: true, password, totp_secret_base64: secret });
const as = ({ accessToken }: Pick<Person, 'accessToken'> = ada) => ({ accessToken });
const remaining = async () => {
  const { remaining: count } = bodyOf(await scene.call('GET /extensions/recovery-codes', as())) as {
    remaining: number;
  };
  return count;
};

async function create(who: Pick<Person, 'accessToken'> = ada): Promise<string[]> {
  return (bodyOf(await scene.call('POST /extensions/recovery-codes', as(who))) as { codes: string[] }).codes;
}

async function attempt(address = email): Promise<string> {
  const answer = await scene.call('POST /auth/password/sign-in', { body: { email: address, password } });
  return (answer as unknown as { details: { attempt_code: string } }).details.attempt_code;
}

const finish = (code: string, recovery_code: string) =>
  scene.call('POST /extensions/recovery-codes/sign-in', { body: { code, recovery_code } });
const signedIn = (left: number) => ({
  status: 200,
  body: { access_token: aToken, refresh_token: aSecret, user_id: ada.id, is_new_user: false, remaining: left },
});

describe('recovery codes', () => {
  test('control 64: ten different ones are created, and only their hashes are stored', async () => {
    const codes = await create();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
    const [row] = await server.deps.db.query<{ text: string }>(sql`
      select row_to_json(users)::text as text from users where project_id = ${scene.project.id} and id = ${ada.id}
    `);
    for (const code of codes) expect(row?.text).not.toContain(code.replaceAll('-', ''));
  });

  test('the list of a user has a count and a time, and no code', async () => {
    const read = () => scene.call('GET /extensions/recovery-codes', as());
    expect(await read()).toEqual({ status: 200, body: { remaining: 0, created_at_millis: null } });
    await create();
    expect(await read()).toEqual({ status: 200, body: { remaining: 10, created_at_millis: server.clock.now() } });
  });

  test('control 64: one completes a sign-in and works once', async () => {
    const [code = '', next = ''] = await create();
    expect(await finish(await attempt(), code)).toEqual(signedIn(9));
    expect(await finish(await attempt(), code)).toEqual(wrongCode);
    expect(await finish(await attempt(), next)).toEqual(signedIn(8));
    expect(await remaining()).toBe(8);
  });

  test('letter case, blanks and dashes do not matter', async () => {
    const [code = ''] = await create();
    expect(await finish(await attempt(), ` ${code.toUpperCase().replaceAll('-', ' ')} `)).toEqual(signedIn(9));
  });

  test('new codes replace the earlier ones', async () => {
    const [earlier = ''] = await create();
    const [later = ''] = await create();
    expect(await finish(await attempt(), earlier)).toEqual(wrongCode);
    expect(await finish(await attempt(), later)).toEqual(signedIn(9));
  });

  test('a wrong one does not spend the attempt; after five the right one is refused', async () => {
    const [code = ''] = await create();
    const begun = await attempt();
    for (let count = 0; count < 5; count++) expect(await finish(begun, '0000-0000-0000')).toEqual(wrongCode);
    expect(await finish(begun, code)).toEqual(tooMany);
    expect(await remaining()).toBe(10);
  });

  test('control 70: the right code at the end of a burst of 40 attempts is not checked', async () => {
    const [right = ''] = await create();
    const attempts: string[] = [];
    for (let count = 0; count < 40; count++) attempts.push(await attempt());
    const guesses = attempts.map((code, index) => finish(code, index === 39 ? right : '0000-0000-0000'));
    expect((await Promise.all(guesses)).at(-1)).toMatchObject({ status: 429 });
    expect(await remaining()).toBe(10);
  });

  test('control 70: wrong codes over several attempts are limited per account', async () => {
    await create();
    for (let count = 0; count < 10; count++) await finish(await attempt(), '0000-0000-0000');
    expect(await scene.call('POST /auth/password/sign-in', { body: { email, password } })).toMatchObject({
      status: 429,
    });
  });

  test('one of another user is refused', async () => {
    const other = scene.address();
    const bob = await personWithSecondFactor(other);
    const [ofBob = ''] = await create(bob);
    await create();
    expect(await finish(await attempt(), ofBob)).toEqual(wrongCode);
  });

  test('control 20: of concurrent uses of one code one succeeds', async () => {
    const [code = ''] = await create();
    const attempts = [await attempt(), await attempt(), await attempt()];
    const outcomes = await Promise.all(attempts.map(begun => finish(begun, code)));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('control 64: one attempt that is completed with two codes at the same time uses up one of them', async () => {
    const codes = (await create()).slice(0, 2);
    const begun = await attempt();
    const outcomes = await allAtOnce(
      server,
      ada.id,
      codes.map(code => () => finish(begun, code)),
    );
    expect(outcomes.toSorted((one, other) => one.status - other.status)).toEqual([signedIn(9), used]);
    expect(await remaining()).toBe(9);
    expect(await scene.takeEmails()).toHaveLength(2);
  });

  test('an attempt that was completed is not completed again', async () => {
    const [code = '', next = ''] = await create();
    const begun = await attempt();
    await finish(begun, code);
    expect(await finish(begun, next)).toEqual(used);
    expect(await remaining()).toBe(9);
  });

  test('they end when two-step verification is turned off or set up again', async () => {
    for (const next of [null, Buffer.from('another secret of app').toString('base64')]) {
      const [code = ''] = await create();
      await scene.call('PATCH /users/me', { ...as(), body: { totp_secret_base64: next } });
      await scene.call('PATCH /users/me', { ...as(), body: { totp_secret_base64: secret } });
      expect(await remaining()).toBe(0);
      expect(await finish(await attempt(), code)).toEqual(wrongCode);
    }
  });

  test('control 56: a password reset that keeps only the address ends them', async () => {
    const [code = ''] = await create();
    const reset = await scene.code('password_reset', { userId: ada.id, address: email, data: {} });
    await scene.call('POST /auth/password/reset', { body: { code: reset, password: 'the next password' } });
    const rows = await server.deps.db.query(sql`
      select id from users where id = ${ada.id} and ${hashRecoveryCode(scene.project.id, ada.id, code)} = any(recovery_code_hashes)
    `);
    expect(rows).toEqual([]);
  });

  test('a user without two-step verification gets none', async () => {
    const bob = await scene.person({ primary_email: scene.address(), password });
    const answer = await scene.call('POST /extensions/recovery-codes', as(bob));
    expect(answer).toEqual({ status: 400, code: 'SECOND_FACTOR_NOT_ENABLED' });
  });

  test('control 34: an impersonation session creates none', async () => {
    const impersonation = await scene.session(ada.id, { is_impersonation: true });
    expect(await scene.call('POST /extensions/recovery-codes', as(impersonation))).toEqual(refused(403));
    expect(await remaining()).toBe(0);
  });

  test('control 32: a session that ends meanwhile creates none', async () => {
    const answer = await whileHolding(server, ada.id, {
      work: () => scene.call('POST /extensions/recovery-codes', as()),
      meanwhile: tx => deleteSessions(tx, scene.project.id, ada.id, null),
    });
    expect(answer).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_EXPIRED' });
    const { accessToken } = await scene.session(ada.id);
    const read = await scene.call('GET /extensions/recovery-codes', { accessToken });
    expect(read).toMatchObject({ body: { remaining: 0 } });
  });

  test('controls 68 and 97: creation and use send a notice and are in the audit log', async () => {
    const [code = ''] = await create();
    await finish(await attempt(), code);
    expect(await scene.takeEmails()).toEqual([
      { template: 'recovery_codes_created', recipient: email, variables: {} },
      { template: 'recovery_code_used', recipient: email, variables: { remainingCount: '9' } },
    ]);
    const events = await server.deps.db.query(sql`
      select action, details from audit_events
      where project_id = ${scene.project.id} and user_id = ${ada.id} and action like 'factor.recovery%' order by action
    `);
    expect(events).toEqual([
      { action: 'factor.recovery_code_used', details: { remaining: 9 } },
      { action: 'factor.recovery_codes_created', details: null },
    ]);
  });
});
