import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project({ credentialEnabled: true, magicLinkEnabled: true });
});

const resultsSchema = z.object({
  results: z.array(
    z.strictObject({ status: z.string(), user_id: z.string().nullable(), reason: z.string().nullable() }),
  ),
});

type Policy = 'skip' | 'update' | 'fail';

async function importUsers(
  users: object[],
  { policy = 'skip', isDryRun = false }: { policy?: Policy; isDryRun?: boolean } = {},
) {
  const body = { is_dry_run: isDryRun, on_conflict: policy, users };
  const answer = await server.call('POST /internal/extensions/users/import', { project, level: 'admin', body });
  expect(answer.status).toBe(200);
  return resultsSchema.parse(answer.json).results;
}

async function userOf(userId: string | null | undefined) {
  const params = { user_id: userId ?? '' };
  const { json } = await server.call('GET /users/{user_id}', { project, level: 'server', params });
  return z.record(z.string(), z.unknown()).parse(json);
}

async function userCount() {
  const { json } = await server.call('GET /users', { project, level: 'server' });
  return z.object({ items: z.array(z.unknown()) }).parse(json).items.length;
}

/** Of "correct horse battery". */
const bcrypt = '$2b$04$9Wv3Gz1dYk1b0c2s8Xk4MeKq5bZ0b5v3fB2oW8mH1nT6yJ7uR4e1a';

describe('POST /internal/extensions/users/import', () => {
  test('an import is one event of the audit log with its numbers, and a dry run is none', async () => {
    const rows = [{ primary_email: 'ada@example.com' }, { display_name: 'Bob' }, { signed_up_at_millis: 'soon' }];
    const imports = async () => {
      const answer = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin' });
      const events = z.object({ items: z.array(z.object({ action: z.string(), details: z.unknown() })) });
      return events.parse(answer.json).items.filter(({ action }) => action === 'admin.request');
    };
    await importUsers(rows, { isDryRun: true });
    expect(await imports()).toEqual([]);
    await importUsers(rows);
    server.clock.advance(1_000);
    await importUsers(rows.slice(0, 1));
    const route = 'POST /internal/extensions/users/import';
    expect((await imports()).map(({ details }) => details)).toEqual([
      { route, created: 0, updated: 0, skipped: 1, failed: 0 },
      { route, created: 2, updated: 0, skipped: 0, failed: 1 },
    ]);
  });

  test('a row becomes a user with the sign-up time, metadata and verified address of the other system', async () => {
    const row = {
      display_name: 'Ada',
      primary_email: 'Ada@Example.com',
      primary_email_verified: true,
      password_hash: bcrypt,
      server_metadata: { plan: 'pro' },
      signed_up_at_millis: 1_500_000_000_000,
    };
    const [result] = await importUsers([row]);
    expect(result).toMatchObject({ status: 'created', reason: null });
    expect(await userOf(result?.user_id)).toMatchObject({
      display_name: 'Ada',
      primary_email: 'ada@example.com',
      primary_email_verified: true,
      primary_email_auth_enabled: true,
      has_password: true,
      server_metadata: { plan: 'pro' },
      signed_up_at_millis: 1_500_000_000_000,
    });
  });

  test('an imported argon2id hash signs in', async () => {
    const password = 'correct horse battery';
    const passwordHash = await server.deps.passwords.hash(password, 'shop');
    await importUsers([{ primary_email: 'grace@example.com', password_hash: passwordHash }]);
    const body = { email: 'grace@example.com', password };
    expect((await server.call('POST /auth/password/sign-in', { project, body })).status).toBe(200);
  });

  test('an invalid row fails alone and says why', async () => {
    const results = await importUsers([
      { primary_email: 'not an address' },
      { display_name: 'Valid' },
      { primary_email: 'md5@example.com', password_hash: '5f4dcc3b5aa765d61d8327deb882cf99' },
      { display_name: 'Extra', shoe_size: 43 },
      {},
      { display_name: 'Later', signed_up_at_millis: server.clock.now() + 1 },
      { display_name: 'Linked', oauth_providers: [{ id: 'github', account_id: '1' }] },
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'failed',
      'created',
      'failed',
      'failed',
      'failed',
      'failed',
      'failed',
    ]);
    const reasons = results.map(({ reason }) => reason ?? '');
    expect(reasons[0]).toBe('primary_email: must be a valid email.');
    expect(reasons[2]).toContain('must be bcrypt');
    expect(reasons[3]).toBe('Unknown field: shoe_size.');
    expect(reasons[4]).toBe('A user needs a name or an email address.');
    expect(reasons[5]).toBe('signed_up_at_millis is in the future.');
    expect(reasons.every((reason, index) => (reason === '') === (index === 1))).toBe(true);
    expect(await userCount()).toBe(1);
  });

  test('a dry run reports duplicates inside the batch and changes nothing', async () => {
    const results = await importUsers(
      [
        { primary_email: 'ada@example.com', primary_email_verified: true },
        { primary_email: 'ADA@example.com', primary_email_verified: true },
        { display_name: 'Grace' },
        {},
      ],
      { isDryRun: true },
    );
    expect(results.map(({ status }) => status)).toEqual(['created', 'skipped', 'created', 'failed']);
    expect(await userCount()).toBe(0);
  });

  test('the policy decides about an address that signs in to a user', async () => {
    const row = { primary_email: 'ada@example.com', primary_email_verified: true, display_name: 'Ada' };
    const [first] = await importUsers([row]);
    const changed = { ...row, display_name: 'Ada Lovelace', password_hash: bcrypt };

    const [skipped] = await importUsers([changed], { policy: 'skip' });
    expect(skipped).toMatchObject({ status: 'skipped', user_id: first?.user_id });
    const [failed] = await importUsers([changed], { policy: 'fail' });
    expect(failed).toMatchObject({ status: 'failed', user_id: null });
    const [dry] = await importUsers([changed], { policy: 'update', isDryRun: true });
    expect(dry).toMatchObject({ status: 'updated' });
    expect(await userOf(first?.user_id)).toMatchObject({ display_name: 'Ada', has_password: false });

    const [updated] = await importUsers([changed], { policy: 'update' });
    expect(updated).toMatchObject({ status: 'updated', user_id: first?.user_id });
    expect(await userOf(first?.user_id)).toMatchObject({ display_name: 'Ada Lovelace', has_password: true });
    expect(await userCount()).toBe(1);
  });

  test('an update keeps a password and the fields that the row does not name', async () => {
    const passwordHash = await server.deps.passwords.hash('correct horse battery', 'shop');
    const row = { primary_email: 'ada@example.com', display_name: 'Ada', password_hash: passwordHash };
    await importUsers([row]);
    const [updated] = await importUsers(
      [{ primary_email: 'ada@example.com', client_metadata: { a: 1 }, password_hash: bcrypt }],
      { policy: 'update' },
    );
    expect(await userOf(updated?.user_id)).toMatchObject({ display_name: 'Ada', client_metadata: { a: 1 } });
    const body = { email: 'ada@example.com', password: 'correct horse battery' };
    expect((await server.call('POST /auth/password/sign-in', { project, body })).status).toBe(200);
  });

  test('a batch that is sent again creates no second users', async () => {
    const batch = [1, 2, 3].map(index => ({ primary_email: `u${index}@example.com`, primary_email_verified: true }));
    await importUsers(batch.slice(0, 2));
    const results = await importUsers(batch);
    expect(results.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'created']);
    expect(await userCount()).toBe(3);
  });

  test('a batch of addresses that do not sign in is sent again, checked and updated without second users', async () => {
    const rows = [
      { primary_email: 'ada@example.com', display_name: 'Ada' },
      { primary_email: 'bob@example.com', display_name: 'Bob' },
    ];
    const created = await importUsers(rows);
    const ids = created.map(({ user_id: id }) => id);
    const isSame = (results: readonly { user_id: string | null }[]) =>
      expect(results.map(({ user_id: id }) => id)).toEqual(ids);

    const checked = await importUsers(rows, { isDryRun: true });
    expect(checked.map(({ status }) => status)).toEqual(['skipped', 'skipped']);
    isSame(checked);
    isSame(await importUsers(rows));
    const updated = await importUsers(
      rows.map(row => ({ ...row, display_name: 'New' })),
      { policy: 'update' },
    );
    expect(updated.map(({ status }) => status)).toEqual(['updated', 'updated']);
    isSame(updated);
    expect(await userOf(ids[0])).toMatchObject({ display_name: 'New', primary_email_auth_enabled: false });
    expect(await userCount()).toBe(2);
  });

  test('a second row with an address that does not sign in is a duplicate inside the batch', async () => {
    const rows = [{ primary_email: 'ada@example.com' }, { primary_email: 'Ada@example.com', display_name: 'Ada' }];
    for (const isDryRun of [true, false]) {
      const results = await importUsers(rows, { isDryRun });
      expect(results.map(({ status }) => status)).toEqual(['created', 'skipped']);
    }
    expect(await userCount()).toBe(1);
  });

  test('two imports of one file at once create each user once', async () => {
    const rows = Array.from({ length: 8 }, (_, index) => ({ primary_email: `u${index}@example.com` }));
    const reports = await Promise.all([importUsers(rows), importUsers(rows), importUsers(rows)]);
    const statuses = reports.flat().map(({ status }) => status);
    expect(statuses.filter(status => status === 'created')).toHaveLength(8);
    expect(statuses.filter(status => status === 'skipped')).toHaveLength(16);
    expect(await userCount()).toBe(8);
  });

  test('an update with the first password of a user makes the primary address sign in', async () => {
    const password = 'correct horse battery';
    const row = { primary_email: 'ada@example.com' };
    await importUsers([row]);
    const passwordHash = await server.deps.passwords.hash(password, 'shop');
    const [updated] = await importUsers([{ ...row, password_hash: passwordHash }], { policy: 'update' });
    expect(updated).toMatchObject({ status: 'updated' });
    const body = { email: 'ada@example.com', password };
    expect((await server.call('POST /auth/password/sign-in', { project, body })).status).toBe(200);
  });

  describe('an unverified address that a user has added', () => {
    const address = 'victim@example.com';
    const row = { primary_email: address, display_name: 'Victim', server_metadata: { role: 'admin' } };
    const value = { user_id: 'me', type: 'email', value: address };
    const claims = [
      ['plain', { used_for_auth: false }, true],
      ['for sign-in', { used_for_auth: true }, true],
      ['plain, without another verified address', { used_for_auth: false }, false],
    ] as const;

    test.each(claims)('does not conflict: the row creates the user (%s)', async (_, use, hasVerified) => {
      const body = { primary_email: 'mallory@example.com', primary_email_verified: hasVerified };
      const { accessToken, userId } = await server.make.user({ project, email: body.primary_email });
      const params = { user_id: userId };
      await server.call('PATCH /users/{user_id}', { project, level: 'server', params, body });
      const claim = { ...value, ...use, is_primary: true };
      const claimed = await server.call('POST /contact-channels', { project, accessToken, body: claim });
      expect(claimed.status).toBe(201);

      for (const isDryRun of [true, false]) {
        const [result] = await importUsers([{ ...row, password_hash: bcrypt }], { policy: 'update', isDryRun });
        expect(result).toMatchObject({ status: 'created', reason: null });
      }
      expect(await userOf(userId)).toMatchObject({ display_name: null, server_metadata: null });
      expect(await userCount()).toBe(2);
    });
  });

  test('a user with a provider account and an address that does not sign in is imported once', async () => {
    const linked = await server.make.project({ oauthProviders: [{ id: 'github', type: 'shared' }] });
    project = linked;
    const oauth_providers = [{ id: 'github', account_id: '1' }];
    const row = { primary_email: 'ada@example.com', oauth_providers };
    const [first] = await importUsers([row]);
    expect(first).toMatchObject({ status: 'created' });
    expect(await importUsers([row])).toMatchObject([{ status: 'skipped', user_id: first?.user_id }]);
    const updated = await importUsers([{ ...row, display_name: 'Ada' }], { policy: 'update' });
    expect(updated).toMatchObject([{ status: 'updated', user_id: first?.user_id }]);

    const foreign = { ...row, oauth_providers: [{ id: 'github', account_id: '2' }] };
    expect(await importUsers([foreign])).toMatchObject([{ status: 'created' }]);
  });

  test('more than 100 rows are refused', async () => {
    const users = Array.from({ length: 101 }, () => ({ display_name: 'x' }));
    const body = { is_dry_run: true, on_conflict: 'skip', users };
    const answer = await server.call('POST /internal/extensions/users/import', { project, level: 'admin', body });
    expect(answer.status).toBe(400);
  });
});
