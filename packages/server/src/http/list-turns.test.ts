import { expect, test } from 'vitest';
import { transaction } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { openTestServer } from '../test/harness.ts';

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
