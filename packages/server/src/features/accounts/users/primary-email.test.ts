import type { ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import type { SignedUp } from '../../../test/make.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
});
afterAll(() => server.close());

type Body = Record<string, unknown>;

const update = ({ accessToken }: SignedUp, body: Body) =>
  server.call('PATCH /users/me', { project, level: 'server', accessToken, body });

/** The primary email and its flags, as the response to an update shows them. */
async function after(user: SignedUp, body: Body) {
  const { status, json } = await update(user, body);
  const shown = json as Body;
  return {
    status,
    email: shown.primary_email,
    verified: shown.primary_email_verified,
    auth: shown.primary_email_auth_enabled,
  };
}

const signIn = (email: string, password: string) =>
  server.call('POST /auth/password/sign-in', { project, body: { email, password } });
const text400 = { status: 400, says: 'a sentence' };
const taken = (email: string) => ({ status: 409, code: 'USER_EMAIL_ALREADY_EXISTS', details: { email } });
const none = { status: 200, email: null, verified: false, auth: false };

let count = 0;
const fresh = () => `fresh-${++count}@example.com`;

describe('a new primary email', () => {
  test('keeps the flags and signs in instead of the old one', async () => {
    const user = await server.make.user({ project });
    await update(user, { primary_email_verified: true });
    const email = fresh();
    const shown = await after(user, { primary_email: email.toUpperCase() });
    expect(shown).toEqual({ status: 200, email, verified: true, auth: true });
    expect((await signIn(email, user.password)).status).toBe(200);
    expect((await signIn(user.email, user.password)).status).toBe(400);
  });

  test('frees the old address for other users', async () => {
    const user = await server.make.user({ project });
    await update(user, { primary_email: fresh() });
    expect((await server.make.user({ project, email: user.email })).userId).not.toBe(user.userId);
  });

  test.each(['a@b', "o'brien@example.com", 'A@LOCALHOST'])('%s is accepted', async primary_email => {
    const user = await server.make.user({ project });
    const shown = await after(user, { primary_email, primary_email_auth_enabled: false });
    expect(shown).toMatchObject({ status: 200, email: primary_email.toLowerCase() });
  });

  test.each(['', ' a@example.com', 'a@example.com ', 'no-address', 'a b@example.com', 'a@example..com', 7, ['a@b.cd']])(
    '%j is refused with SCHEMA_ERROR',
    async primary_email => {
      const user = await server.make.user({ project });
      const answer = await update(user, { primary_email });
      expect(outcome(answer)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    },
  );
});

describe('primary email null', () => {
  test('deletes the address and keeps the user', async () => {
    const user = await server.make.user({ project });
    const { json } = await update(user, { primary_email: null });
    expect(json).toMatchObject({
      primary_email: null,
      primary_email_verified: false,
      primary_email_auth_enabled: false,
    });
    expect(json).toMatchObject({ has_password: true, auth_with_email: true });
    expect((await signIn(user.email, user.password)).status).toBe(400);
  });

  test('changes nothing for a user without an address', async () => {
    const user = await server.make.user({ project });
    await update(user, { primary_email: null });
    expect(await after(user, { primary_email: null })).toEqual(none);
    expect(await after(user, { primary_email_verified: false })).toEqual(none);
    expect(await after(user, { primary_email_auth_enabled: false })).toEqual(none);
  });

  test('together with a flag is refused with 400', async () => {
    const user = await server.make.user({ project });
    expect(outcome(await update(user, { primary_email: null, primary_email_verified: true }))).toEqual(text400);
    expect(outcome(await update(user, { primary_email: null, primary_email_auth_enabled: true }))).toEqual(text400);
    await update(user, { primary_email: null });
    expect(outcome(await update(user, { primary_email_verified: true }))).toEqual(text400);
    expect(outcome(await update(user, { primary_email_auth_enabled: true }))).toEqual(text400);
  });

  test('then a new address has only the flags of the request', async () => {
    const user = await server.make.user({ project });
    await update(user, { primary_email: null });
    const email = fresh();
    expect(await after(user, { primary_email: email })).toEqual({ status: 200, email, verified: false, auth: false });
    await update(user, { primary_email: null });
    const withFlags = { primary_email: email, primary_email_verified: true, primary_email_auth_enabled: true };
    expect(await after(user, withFlags)).toEqual({ status: 200, email, verified: true, auth: true });
  });

  test('then a first password is refused with 400 unless the request has an address', async () => {
    const user = await server.make.user({ project });
    await update(user, { primary_email: null, password: null });
    // By id: the first update has ended the session.
    const updateById = (body: Body) =>
      server.call('PATCH /users/{user_id}', { project, level: 'server', params: { user_id: user.userId }, body });
    expect(outcome(await updateById({ password: 'a first password' }))).toEqual(text400);
    const both = await updateById({ password: 'a first password', primary_email: fresh() });
    expect(both.json).toMatchObject({ has_password: true });
  });
});

describe('a primary email that another user has', () => {
  test('is refused in any letter case when it signs in to the other user', async () => {
    const [owner, other] = [await server.make.user({ project }), await server.make.user({ project })];
    expect(outcome(await update(other, { primary_email: owner.email }))).toEqual(taken(owner.email));
    expect(outcome(await update(other, { primary_email: owner.email.toUpperCase() }))).toEqual(taken(owner.email));
  });

  test('is accepted as long as only one of the users signs in with it', async () => {
    const [owner, other] = [await server.make.user({ project }), await server.make.user({ project })];
    const shared = { primary_email: owner.email, primary_email_auth_enabled: false };
    expect((await update(other, shared)).status).toBe(200);
    expect(outcome(await update(other, { primary_email_auth_enabled: true }))).toEqual(taken(owner.email));
    await update(owner, { primary_email_auth_enabled: false });
    expect((await update(other, { primary_email_auth_enabled: true })).status).toBe(200);
    expect(outcome(await update(owner, { primary_email_auth_enabled: true }))).toEqual(taken(owner.email));
    expect((await signIn(owner.email, other.password)).json).toMatchObject({ user_id: other.userId });
  });

  test('control 101: concurrent updates to one address: one succeeds', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => server.make.user({ project })));
    const email = fresh();
    const answers = await Promise.all(users.map(user => update(user, { primary_email: email })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200).map(outcome)).toEqual(Array(7).fill(taken(email)));
  });

  test('control 101: a concurrent update and sign-up with one address: one succeeds', async () => {
    const user = await server.make.user({ project });
    const email = fresh();
    const body = { email, password: 'correct horse', verification_callback_url: 'http://localhost/' };
    const answers = await Promise.all([
      update(user, { primary_email: email }),
      server.call('POST /auth/password/sign-up', { project, body }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('a primary email that is another channel of the user', () => {
  test('makes that channel the primary one and keeps its flags', async () => {
    const user = await server.make.user({ project });
    const email = fresh();
    await server.deps.db.query(sql`
      insert into contact_channels (project_id, id, user_id, type, value, is_verified, used_for_auth, created_at_millis)
      values (${project.id}, gen_random_uuid(), ${user.userId}, 'email', ${email}, true, false, 1)
    `);
    expect(await after(user, { primary_email: email })).toEqual({ status: 200, email, verified: true, auth: false });
    const channels = await server.deps.db.query(sql`
      select value, is_primary as "isPrimary" from contact_channels
      where project_id = ${project.id} and user_id = ${user.userId} order by is_primary
    `);
    expect(channels).toEqual([
      { value: user.email, isPrimary: false },
      { value: email, isPrimary: true },
    ]);
  });
});

describe('control 101: concurrent updates of the primary email', () => {
  test('of a user without an address all succeed', async () => {
    const user = await server.make.user({ project });
    await update(user, { primary_email: null });
    const answers = await Promise.all(Array.from({ length: 8 }, () => update(user, { primary_email: fresh() })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  test('of a user to the same first address all succeed', async () => {
    const user = await server.make.user({ project });
    await update(user, { primary_email: null });
    const email = fresh();
    const answers = await Promise.all(Array.from({ length: 8 }, () => update(user, { primary_email: email })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});
