import type { ProjectAccess } from '@tessera/testing/call';
import { asAdministrator } from '@tessera/testing/database';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { whileHolding } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import type { SignedUp } from '../../../test/make.ts';
import { addWebhookEndpoint } from '../../../test/webhook-endpoint.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project({ clientUserDeletionEnabled: true });
});
afterAll(() => server.close());

const remove = ({ accessToken }: SignedUp, more: object = {}) =>
  server.call('DELETE /users/me', { project, accessToken, ...more });
const done = { status: 200, body: { success: true } };

/** The number of rows that refer to the user, by table. */
async function rowsOf(userId: string): Promise<Record<string, number>> {
  const tables = await server.deps.db.query<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'user_id' order by table_name
  `);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await asAdministrator(server.connection, client =>
      client.query(`select user_id from ${name} where user_id = $1`, [userId]),
    );
    counts[name] = rows.length;
  }
  return counts;
}

describe('DELETE /users/me', () => {
  test.each([{}, { body: {} }, { body: { any: 'thing' } }, { level: 'server' }, { level: 'admin' }])(
    'answers success to the request %j',
    async more => {
      expect(outcome(await remove(await server.make.user({ project }), more))).toEqual(done);
    },
  );

  test('leaves no row of the user except audit events', async () => {
    const user = await server.make.user({ project });
    const { email, password, accessToken } = user;
    await server.call('POST /auth/password/sign-in', { project, body: { email, password } });
    await server.call('PATCH /users/me', {
      project,
      accessToken,
      body: { totp_secret_base64: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' },
    });
    await server.call('POST /auth/password/sign-in', { project, body: { email, password } });
    const before = await rowsOf(user.userId);
    expect(before).toMatchObject({ contact_channels: 1, sessions: 2, one_time_codes: 2 });

    await remove(user);
    const { events, audit_events, ...others } = await rowsOf(user.userId);
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map(name => [name, 0])));
    expect(events).toBe(before.events);
    expect(audit_events).toBe((before.audit_events ?? 0) + 1);
    expect(await server.deps.db.query(sql`select id from users where id = ${user.userId}`)).toEqual([]);
  });

  test('leaves the rows of other users unchanged', async () => {
    const [going, staying] = [await server.make.user({ project }), await server.make.user({ project })];
    const before = await rowsOf(staying.userId);
    await remove(going);
    expect(await rowsOf(staying.userId)).toEqual(before);
  });

  test('frees the address for another account at once', async () => {
    const user = await server.make.user({ project });
    await remove(user);
    const again = await server.make.user({ project, email: user.email });
    expect(again.userId).not.toBe(user.userId);
  });

  test('concurrent deletions of one user never fail with 5xx', async () => {
    const user = await server.make.user({ project });
    const answers = await Promise.all(Array.from({ length: 8 }, () => remove(user)));
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
  });

  test('publishes the end of every membership, including one that began concurrently', async () => {
    const { userId } = await server.make.user({ project });
    const asServer = { project, level: 'server' } as const;
    const { json } = await server.call('POST /teams', { ...asServer, body: { display_name: 'Engines' } });
    const { id: teamId } = json as { id: string };
    await addWebhookEndpoint(server.deps.db, project.id);
    const answer = await whileHolding(server, userId, {
      work: () => server.call('DELETE /users/{user_id}', { ...asServer, params: { user_id: userId } }),
      meanwhile: tx =>
        tx.query(sql`
          insert into team_memberships (project_id, team_id, user_id, created_at_millis)
          values (${project.id}, ${teamId}, ${userId}, ${server.clock.now()})
        `),
    });
    expect(outcome(answer)).toEqual(done);
    const events = await server.deps.db.query(sql`
      select type, data from webhook_events
      where project_id = ${project.id} and type like '%.deleted' and data::text like ${`%${userId}%`} order by ctid
    `);
    expect(events).toEqual([
      { type: 'team_membership.deleted', data: { team_id: teamId, user_id: userId } },
      { type: 'user.deleted', data: { id: userId, teams: [{ id: teamId }] } },
    ]);
  });

  test('concurrent updates never fail with 5xx and leave no channel', async () => {
    const user = await server.make.user({ project });
    const { accessToken } = user;
    const change = (index: number) =>
      server.call('PATCH /users/me', {
        project,
        level: 'server',
        accessToken,
        body: { display_name: `${index}`, primary_email: index % 2 === 0 ? null : `change-${index}@example.com` },
      });
    const changes = Array.from({ length: 10 }, (_, index) => change(index));
    const answers = await Promise.all([...changes, remove(user), ...changes]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await rowsOf(user.userId)).toMatchObject({ contact_channels: 0 });
  });
});

describe('DELETE /users/me in a project without user deletion by clients', () => {
  test('is refused with 400 at level client, with and without a user', async () => {
    const closed = await server.make.project();
    const user = await server.make.user({ project: closed });
    const refused = { status: 400, says: 'a sentence' };
    expect(outcome(await remove(user, { project: closed }))).toEqual(refused);
    expect(outcome(await server.call('DELETE /users/me', { project: closed }))).toEqual(refused);
    expect(
      outcome(await server.call('GET /users/me', { project: closed, accessToken: user.accessToken })),
    ).toMatchObject({
      status: 200,
    });
  });

  test.each(['server', 'admin'] as const)('is accepted at level %s', async level => {
    const closed = await server.make.project();
    const user = await server.make.user({ project: closed });
    expect(outcome(await remove(user, { project: closed, level }))).toEqual(done);
  });
});
