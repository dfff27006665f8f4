import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { asServer, openScene, type Scene } from './scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer();
  scene = await openScene(server);
});
afterAll(() => server.close());

async function isWaiting(): Promise<boolean> {
  const rows = await server.deps.db.query(sql`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `);
  return rows.length > 0;
}

test('a team that is left and selected concurrently is not selected, and no call fails', async () => {
  const { id: team_id, creator } = await scene.filledTeam();
  let selecting: ReturnType<Scene['call']> | undefined;
  await server.deps.db.begin(async tx => {
    await tx.query(sql`
      delete from team_memberships
      where project_id = ${scene.project.id} and team_id = ${team_id} and user_id = ${creator.id}
    `);
    const body = { selected_team_id: team_id };
    selecting = scene.call('PATCH /users/{user_id}', { ...asServer, params: { user_id: creator.id }, body });
    await expect.poll(isWaiting, { interval: 5 }).toBe(true);
  });
  expect(await selecting).toEqual({
    status: 404,
    code: 'TEAM_MEMBERSHIP_NOT_FOUND',
    details: { team_id, user_id: creator.id },
  });
});
