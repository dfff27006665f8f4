import { requestOf } from '@tessera/testing/call';
import { expect, test } from 'vitest';
import { transaction } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { openTestServer } from '../test/harness.ts';
import { makeRevocableKeys } from '../test/revocable-keys.ts';

const locks = {
  contact_channels: sql`lock table contact_channels in access exclusive mode`,
  permission_definitions: sql`lock table permission_definitions in access exclusive mode`,
  sent_mails: sql`lock table sent_mails in access exclusive mode`,
  users: sql`lock table users in access exclusive mode`,
};

const audience = { audience: { type: 'all' }, notification_category_name: 'Marketing' };

test.each([
  ['GET /contact-channels', 'contact_channels'],
  ['GET /team-permission-definitions', 'permission_definitions'],
  ['GET /internal/extensions/sent-emails', 'sent_mails'],
  ['GET /internal/extensions/users', 'users'],
  ['POST /internal/extensions/messages/audience', 'users', audience],
] as const)(
  'control 102: many slow %s of one project do not take the connections of another project',
  async (route, table, body?: object) => {
    const server = await openTestServer({ environment: { TESSERA_DATABASE_POOL: '6' } });
    const [busy, other] = [await server.make.project(), await server.make.project()];
    // Both keys are known before, so the requests below need no other table.
    for (const project of [busy, other]) await server.call('GET /teams', { project, level: 'server' });
    const lists = await transaction(server.deps.db, async tx => {
      await tx.query(locks[table]);
      const waiting = Array.from({ length: 20 }, () => server.call(route, { project: busy, level: 'admin', body }));
      const answer = await server.call('GET /projects/current', { project: other, level: 'client' });
      expect(answer.status).toBe(200);
      expect((await server.call('GET /teams', { project: other, level: 'server' })).status).toBe(200);
      return waiting;
    });
    expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(new Array(20).fill(200));
    await server.close();
  },
);

test('control 102: a list that waits is not read after its client has closed the connection', async () => {
  const server = await openTestServer({ environment: { TESSERA_DATABASE_POOL: '6' } });
  const project = await server.make.project();
  await server.call('GET /teams', { project, level: 'server' });
  const client = new AbortController();
  const answers = await transaction(server.deps.db, async tx => {
    await tx.query(locks.users);
    const sent = Array.from({ length: 20 }, () =>
      server.app(new Request(requestOf('GET /users', { project, level: 'server' }), { signal: client.signal })),
    );
    client.abort();
    return sent;
  });
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  // Three read at the same time, and may have begun before the client closed the connection.
  expect(statuses.filter(status => status === 200).length).toBeLessThanOrEqual(3);
  expect(statuses.slice(3)).toEqual(new Array(17).fill(400));
  await server.close();
});

test('control 93: a list that waits is not read after its key is revoked', async () => {
  const server = await openTestServer({ environment: { TESSERA_DATABASE_POOL: '6' } });
  const { leaked, revoke } = await makeRevocableKeys(server, await server.make.project());
  await server.call('GET /teams', { project: leaked, level: 'server' });
  const lists = await transaction(server.deps.db, async tx => {
    await tx.query(locks.users);
    const sent = Array.from({ length: 20 }, () => server.call('GET /users', { project: leaked, level: 'server' }));
    expect(await revoke()).toMatchObject({ status: 200 });
    return sent;
  });
  const answers = await Promise.all(lists);
  // Three read at the same time, and have begun before the revocation.
  expect(answers.slice(3).map(({ status, json }) => [status, json])).toEqual(
    new Array(17).fill([401, expect.objectContaining({ code: 'INVALID_SECRET_SERVER_KEY' })]),
  );
  await server.close();
});

test('control 102: of a list whose last answer had more than a megabyte, a project reads one at a time', async () => {
  const server = await openTestServer({ environment: { TESSERA_DATABASE_POOL: '6' } });
  const [heavy, light] = [await server.make.project(), await server.make.project()];
  const body = { server_metadata: 'x'.repeat(250_000) };
  for (let count = 0; count < 5; count++) await server.call('POST /users', { project: heavy, level: 'server', body });
  for (const project of [heavy, light]) await server.call('GET /users', { project, level: 'server' });

  async function readAtOnce(project: typeof heavy, { atLeast }: { atLeast: number }): Promise<number> {
    const { lists, count } = await transaction(server.deps.db, async tx => {
      await tx.query(locks.users);
      const lists = Array.from({ length: 6 }, () => server.call('GET /users', { project, level: 'server' }));
      const countReading = async () => {
        for (let turn = 0; turn < 5; turn++) await server.call('GET /projects/current', { project: light });
        const [row] = await tx.query<{ count: number }>(sql`
          select count(*)::int as count from pg_locks where not granted and relation = 'users'::regclass
        `);
        return row?.count ?? 0;
      };
      while ((await countReading()) < atLeast);
      return { lists, count: await countReading() };
    });
    expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(new Array(6).fill(200));
    return count;
  }

  // The first three open the connections.
  expect(await readAtOnce(light, { atLeast: 3 })).toBe(3);
  expect(await readAtOnce(heavy, { atLeast: 1 })).toBe(1);
  await server.close();
});
