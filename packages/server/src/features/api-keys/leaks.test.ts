import { noticesPerUnverifiedRecipient } from '@tessera/protocol';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { ownServer } from '../email/scene.fixtures.ts';
import { openScene, type Scene } from '../teams/scene.fixtures.ts';
import { check, keysOn, teamKey, userKey } from './test/keys.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer({ environment: { TESSERA_DATABASE_POOL: '8' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  // Removes emails of the previous test from the queue.
  await server.mailbox();
  scene = await openScene(server, keysOn);
});

const success = { status: 200, body: { success: true } };
const notFound = { status: 404, code: 'API_KEY_NOT_FOUND' };
const invalid = { status: 400, code: 'SCHEMA_ERROR', details: { message: expect.any(String) } };
const report = (api_key: unknown, options = {}) =>
  scene.call('POST /integrations/credential-scanning/revoke', { level: null, body: { api_key }, ...options });
const expectedEmail = (to: string, lastFour: string, description = 'A key') =>
  expect.objectContaining({
    to,
    subject: 'An API key of A project was found in public',
    text: expect.stringContaining(`“${description}” ending in ${lastFour} was found in a public place`),
  });
const byRecipient = (one: { to: string }, other: { to: string }) => (one.to < other.to ? -1 : 1);

describe('control 94: a leaked key that is reported', () => {
  test('of a user is revoked, and the owner gets an email', async () => {
    const ada = await scene.person({ primary_email: 'ada@example.com' });
    const { value } = await userKey(scene, ada, { description: '<b>Deploy</b>' });
    await scene.publishedEvents();
    expect(await report(value)).toEqual(success);
    expect(await check(scene, 'user', value)).toEqual({ status: 401, code: 'API_KEY_REVOKED' });
    const emails = await scene.receivedEmails();
    expect(emails).toEqual([expectedEmail('ada@example.com', value.slice(-4), '<b>Deploy</b>')]);
    expect(emails[0]?.html).toContain('&lt;b&gt;Deploy&lt;/b&gt;');
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('of a team is revoked, and every member who can manage its keys gets an email', async () => {
    const team = await scene.filledTeam();
    const [direct, contained, member, silent] = [
      await scene.person({ primary_email: 'direct@example.com' }),
      await scene.person({ primary_email: 'contained@example.com' }),
      await scene.person({ primary_email: 'member@example.com' }),
      await scene.person(),
    ];
    await scene.person({ primary_email: 'unknown@example.com' });
    for (const person of [direct, contained, member, silent]) await scene.join(team.id, person);
    await scene.may(team.id, direct, ['$manage_api_keys', 'team_admin']);
    await scene.may(team.id, contained, ['team_admin']);
    await scene.may(team.id, silent, ['team_admin']);
    const { value } = await teamKey(scene, team.id);
    expect(await report(value)).toEqual(success);
    expect(await check(scene, 'team', value)).toEqual({ status: 401, code: 'API_KEY_REVOKED' });
    const lastFour = value.slice(-4);
    expect((await scene.receivedEmails()).sort(byRecipient)).toEqual([
      expectedEmail('contained@example.com', lastFour),
      expectedEmail('direct@example.com', lastFour),
    ]);
  });

  test('causes an email through the mail server of the installation, even when the project has its own', async () => {
    scene = await openScene(server, { ...keysOn, ...ownServer(server, { url: 'smtp://127.0.0.1:9' }) });
    const ada = await scene.person({ primary_email: 'ada@example.com' });
    const { value } = await userKey(scene, ada);
    await report(value);
    const from = { name: 'A project', address: 'noreply@localhost' };
    expect(await scene.receivedEmails()).toEqual([expect.objectContaining({ to: 'ada@example.com', from })]);
  });

  test('control 72: causes at most five emails an hour to an unverified address, and its text has no link', async () => {
    const ada = await scene.person({ primary_email: 'stranger@example.com' });
    for (let count = 0; count < noticesPerUnverifiedRecipient + 1; count++) {
      const { value } = await userKey(scene, ada, { description: 'win at https://evil.example/now' });
      expect(await report(value)).toEqual(success);
      expect(await check(scene, 'user', value)).toEqual({ status: 401, code: 'API_KEY_REVOKED' });
    }
    const emails = await scene.receivedEmails();
    expect(emails).toHaveLength(noticesPerUnverifiedRecipient);
    expect(JSON.stringify(emails)).not.toContain('https://evil');
  });

  test('is in the audit log with the source of the report', async () => {
    const ada = await scene.person();
    const { id, value } = await userKey(scene, ada);
    await report(value, { peerAddress: '203.0.113.9', headers: { 'user-agent': 'Scanner/1.0' } });
    const query = { action: 'api_key.revoked' };
    const logged = await scene.call('GET /internal/extensions/audit-log', { level: 'admin', query });
    expect(logged).toMatchObject({
      status: 200,
      body: {
        items: [
          {
            actor: { type: 'system', id: null },
            user_id: ada.id,
            subject: { type: 'api_key', id },
            address: '203.0.113.9',
            user_agent: 'Scanner/1.0',
            details: { reason: 'found in public' },
          },
        ],
      },
    });
  });

  test('of a user without an address is revoked', async () => {
    const { value } = await userKey(scene, await scene.person());
    expect(await report(value)).toEqual(success);
    expect(await scene.receivedEmails()).toEqual([]);
    expect(await check(scene, 'user', value)).toEqual({ status: 401, code: 'API_KEY_REVOKED' });
  });

  test('is refused in the order unknown, public, expired, revoked', async () => {
    const ada = await scene.person({ primary_email: 'ada@example.com' });
    const past = { expires_at_millis: 1 };
    const [shown, late, dead] = [
      await userKey(scene, ada, { ...past, is_public: true }),
      await userKey(scene, ada, past),
      await userKey(scene, ada),
    ];
    for (const { id } of [late, dead]) {
      await scene.call('PATCH /user-api-keys/{id}', { level: 'server', params: { id }, body: { revoked: true } });
    }
    for (const text of ['', 'x', late.value.toUpperCase()]) expect(await report(text)).toEqual(notFound);
    expect(await report(shown.value)).toEqual({ status: 400, code: 'PUBLIC_API_KEY_CANNOT_BE_REVOKED' });
    expect(await report(late.value)).toEqual({ status: 401, code: 'API_KEY_EXPIRED' });
    expect(await report(dead.value)).toEqual(success);
    expect(await scene.receivedEmails()).toEqual([]);
  });

  test('several times is revoked once and causes one email', async () => {
    const ada = await scene.person({ primary_email: 'ada@example.com' });
    const { id, value } = await userKey(scene, ada);
    const revokedAtMillis = server.clock.now();
    expect(await Promise.all(Array.from({ length: 8 }, () => report(value)))).toEqual(Array(8).fill(success));
    server.clock.advance(1_000);
    expect(await report(value)).toEqual(success);
    expect(await scene.receivedEmails()).toHaveLength(1);
    const read = await scene.call('GET /user-api-keys/{id}', { level: 'server', params: { id } });
    expect(read).toMatchObject({ body: { manually_revoked_at_millis: revokedAtMillis } });
  });

  test('is revoked in any project, even where keys are switched off', async () => {
    const ada = await scene.person();
    const { value } = await userKey(scene, ada);
    const { project } = await openScene(server);
    for (const level of ['client', 'server', 'admin'] as const) {
      expect(await report(value, { level, project })).toEqual(success);
    }
    expect(await check(scene, 'user', value)).toEqual({ status: 401, code: 'API_KEY_REVOKED' });
  });

  test('of a deleted project is not found, even before its rows are purged', async () => {
    const ada = await scene.person({ primary_email: 'ada@example.com' });
    const { id, value } = await userKey(scene, ada);
    await scene.call('DELETE /internal/projects/current', { level: 'admin' });
    expect(await report(value)).toEqual(notFound);
    expect(await scene.receivedEmails()).toEqual([]);
    const rows = await server.deps.db.query(sql`
      select manually_revoked_at_millis as "revokedAtMillis" from api_keys
      where project_id = ${scene.project.id} and id = ${id}
    `);
    expect(rows).toEqual([{ revokedAtMillis: null }]);
  });

  test('needs no access headers, but headers of the request are checked', async () => {
    const { value } = await userKey(scene, await scene.person());
    const headers = { 'x-stack-secret-server-key': 'ssk_wrong' };
    expect(await report(value, { level: 'server', headers })).toMatchObject({ code: 'INVALID_SECRET_SERVER_KEY' });
    expect(await check(scene, 'user', value)).toMatchObject({ status: 200 });
  });

  test.each([[{}], [{ api_key: null }], [{ api_key: ['x'] }], [{ api_key: 'x', id: 'y' }], [undefined]])(
    'with the body %j is refused with SCHEMA_ERROR',
    async body => {
      const answer = await server.call('POST /integrations/credential-scanning/revoke', { level: null, body });
      expect(outcome(answer)).toEqual(invalid);
    },
  );
});
