import { expect, test } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer } from '../../../test/harness.ts';
import { makeRevocableKeys } from '../../../test/revocable-keys.ts';
import { portalTokenOf, svixClient } from '../scene.fixtures.ts';

test('control 102: many slow reads of the message history of one project leave connections to another project', async () => {
  const server = await openTestServer({ environment: { TESSERA_DATABASE_POOL: '6' } });
  const [busy, other] = [await server.make.project(), await server.make.project()];
  const svix = svixClient(server, await portalTokenOf(server, busy));
  // The keys of the other project are known before, so the requests below need no other table.
  await server.call('GET /teams', { project: other, level: 'server' });
  const histories = await transaction(server.deps.db, async tx => {
    await tx.query(sql`lock table webhook_events in access exclusive mode`);
    const waiting = Array.from({ length: 20 }, () => svix.message.list(busy.id));
    expect((await server.call('GET /teams', { project: other, level: 'server' })).status).toBe(200);
    // The same turns as other lists: the history and the users together take half of the connections.
    const users = Array.from({ length: 20 }, () => server.call('GET /users', { project: busy, level: 'server' }));
    expect((await server.call('GET /teams', { project: other, level: 'server' })).status).toBe(200);
    return { waiting, users };
  });
  for (const { data } of await Promise.all(histories.waiting)) expect(data).toEqual([]);
  for (const { status } of await Promise.all(histories.users)) expect(status).toBe(200);
  await server.close();
});

test('control 93: a history that waits is not read after the key of its token is revoked', async () => {
  const server = await openTestServer({ environment: { TESSERA_DATABASE_POOL: '6' } });
  const { leaked, revoke } = await makeRevocableKeys(server, await server.make.project());
  const svix = svixClient(server, await portalTokenOf(server, leaked));
  const histories = await transaction(server.deps.db, async tx => {
    await tx.query(sql`lock table webhook_events in access exclusive mode`);
    const sent = Array.from({ length: 20 }, () => svix.message.list(leaked.id));
    expect((await revoke()).status).toBe(200);
    return sent;
  });
  const outcomes = await Promise.allSettled(histories);
  // Three read at the same time, and have begun before the revocation.
  expect(outcomes.slice(3)).toEqual(
    new Array(17).fill({ status: 'rejected', reason: expect.objectContaining({ code: 401 }) }),
  );
  await server.close();
});
