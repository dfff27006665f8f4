import { expect, test } from 'vitest';
import { transaction } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { openTestServer } from '../test/harness.ts';

test('control 102: many slow lists of one project do not take the connections of another project', async () => {
  const server = await openTestServer({ environment: { TESSERA_DATABASE_POOL: '6' } });
  const [busy, other] = [await server.make.project(), await server.make.project()];
  // Both keys are known before, so the requests below need no other table.
  for (const project of [busy, other]) await server.call('GET /teams', { project, level: 'server' });
  const lists = await transaction(server.deps.db, async tx => {
    await tx.query(sql`lock table contact_channels in access exclusive mode`);
    const waiting = Array.from({ length: 20 }, () =>
      server.call('GET /contact-channels', { project: busy, level: 'server' }),
    );
    const answer = await server.call('GET /projects/current', { project: other, level: 'client' });
    expect(answer.status).toBe(200);
    expect((await server.call('GET /teams', { project: other, level: 'server' })).status).toBe(200);
    return waiting;
  });
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(new Array(20).fill(200));
  await server.close();
});
