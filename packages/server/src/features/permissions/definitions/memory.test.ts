import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, DatabaseAway, transaction } from '../../../platform/database/database.ts';
import { notify } from '../../../platform/database/notifications.ts';
import { type Statement, sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { openScene, type Person, type Scene, type TeamFilled } from '../../teams/scene.fixtures.ts';
import { type GrantsAt, selectDefinitionsAt } from '../store.ts';
import { createPermissionDefinitions } from './definitions.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** A separate cache that counts its queries. */
function counted() {
  const { db } = server.deps;
  let count = 0;
  const counting: Database = {
    ...db,
    query: statement => {
      count += 1;
      return db.query(statement);
    },
  };
  return { definitions: createPermissionDefinitions({ ...server.deps, db: counting }), asked: () => count };
}

const define = (scene: Scene, id: string) =>
  scene.call('POST /team-permission-definitions', { level: 'admin', body: { id } });
const generationOf = async (id: string) => (await selectDefinitionsAt(server.deps.db, id)).generation;
const grants = (generation: number): GrantsAt<string> => ({ generation, rows: ['a grant'] });

test('definitions are loaded once for concurrent callers, and again after a change', async () => {
  const scene = await openScene(server);
  const { id } = scene.project;
  const { definitions, asked } = counted();
  const read = async () => grants(await generationOf(id));
  const knowsNew = async () => (await definitions.readWith(id, read)).definitions.team.places.has('new');
  expect(await Promise.all(Array.from({ length: 20 }, knowsNew))).toEqual(Array(20).fill(false));
  const first = asked();
  await define(scene, 'new');
  expect(await Promise.all(Array.from({ length: 20 }, knowsNew))).toEqual(Array(20).fill(true));
  expect([first, asked()]).toEqual([1, 2]);
});

test('concurrent reads of members share a query, and each returns the permissions of its member', async () => {
  const [one, other] = [await openScene(server), await openScene(server)];
  const [first, second, third] = [await one.filledTeam(), await one.filledTeam(), await other.filledTeam()];
  const { definitions, asked } = counted();
  const read = async ({ project }: Scene, { id: teamId }: TeamFilled, { id: userId }: Person) => {
    const { rows } = await definitions.readMember(project.id, { teamId, userId });
    return rows.map(row => (row.teamId === teamId && row.userId === userId ? row.permissionId : row));
  };
  const reads = [
    read(one, first, first.creator),
    read(one, first, first.powerless),
    read(one, second, second.member),
    read(other, third, third.creator),
    read(other, first, first.creator),
  ];
  expect(await Promise.all(reads)).toEqual([['team_admin'], [], ['team_member'], ['team_admin'], []]);
  // One query for the grants, and one per project for the definitions.
  expect(asked()).toBe(3);
});

test('grants that are older than the definitions are read again', async () => {
  const scene = await openScene(server);
  const { id } = scene.project;
  const { definitions } = counted();
  const old = await generationOf(id);
  await define(scene, 'new');
  const newer = await generationOf(id);
  const generations = [old, old, newer];
  const { rows, definitions: known } = await definitions.readWith(id, async () => grants(generations.shift() ?? newer));
  expect([rows, known.generation, known.team.places.has('new'), generations]).toEqual([['a grant'], newer, true, []]);
});

test('grants of commits that a failover has lost are read again', async () => {
  const scene = await openScene(server);
  const { id } = scene.project;
  const { definitions } = counted();
  const known = await generationOf(id);
  const generations = [known + 1, known + 1, known];
  const { definitions: used } = await definitions.readWith(id, async () => grants(generations.shift() ?? known));
  expect([used.generation, generations]).toEqual([known, []]);
});

test('grants of a generation that the definitions never reach are refused as an unavailable database', async () => {
  const scene = await openScene(server);
  const { id } = scene.project;
  const { definitions } = counted();
  const read = async () => grants((await generationOf(id)) + 1);
  await expect(definitions.readWith(id, read)).rejects.toBeInstanceOf(DatabaseAway);
});

test('grants and definitions are of the same moment, also when a permission is renamed while they are loaded', async () => {
  const scene = await openScene(server);
  const { id } = scene.project;
  const { db } = server.deps;
  let isRenamed = false;
  const renaming: Database = {
    ...db,
    query: async <Row extends object>(statement: Statement) => {
      const rows = await db.query<Row>(statement);
      if (!isRenamed) {
        isRenamed = true;
        const change = { level: 'admin', params: { id: 'team_admin' }, body: { id: 'boss' } } as const;
        await scene.call('PATCH /team-permission-definitions/{id}', change);
      }
      return rows;
    },
  };
  const before = await generationOf(id);
  const definitions = createPermissionDefinitions({ ...server.deps, db: renaming });
  const { definitions: known } = await definitions.readWith(id, async () => grants(before));
  expect([known.generation, known.team.places.has('team_admin'), isRenamed]).toEqual([before, true, true]);
});

test('an empty list of grants does not load the definitions', async () => {
  const scene = await openScene(server);
  await define(scene, 'new');
  const { definitions } = counted();
  const { rows } = await definitions.readWith(scene.project.id, async () => ({ generation: 0, rows: [] }));
  expect(rows).toEqual([]);
});

test('a refused change keeps the cached definitions', async () => {
  const scene = await openScene(server);
  const before = await generationOf(scene.project.id);
  await define(scene, 'team_admin');
  expect(await generationOf(scene.project.id)).toBe(before);
});

test('definitions of commits that a failover has lost are not used', async () => {
  const scene = await openScene(server);
  const { id, creator } = await scene.filledTeam();
  const query = { team_id: id, user_id: creator.id, recursive: 'true', permission_id: '$delete_team' };
  const held = () => scene.call('GET /team-permissions', { level: 'server', query });
  expect(await held()).toMatchObject({ body: { items: [{ id: '$delete_team' }] } });
  const gap = new Promise<void>(resolve => server.deps.databaseNotifications.onGap(resolve));
  // The new primary has another history: the same generation with other definitions.
  await server.deps.db.query(sql`
    update permission_definitions set contained_permission_ids = '{}'
    where project_id = ${scene.project.id} and id = 'team_admin'
  `);
  await server.deps.db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'tessera notices'
  `);
  await gap;
  expect(await held()).toMatchObject({ body: { items: [] } });
});

test('definitions of a deleted project are not used for a project that is imported under its id', async () => {
  const scene = await openScene(server);
  const { id, creator } = await scene.filledTeam();
  await define(scene, 'new');
  const query = { team_id: id, user_id: creator.id, recursive: 'true', permission_id: '$delete_team' };
  const held = () => scene.call('GET /team-permissions', { level: 'server', query });
  expect(await held()).toMatchObject({ status: 200, body: { items: [{ id: '$delete_team' }] } });
  const heard = new Promise<void>(resolve =>
    server.deps.databaseNotifications.on('project', key => key === scene.project.id && resolve()),
  );
  // The imported project has generation 0 and other definitions.
  await transaction(server.deps.db, async tx => {
    await tx.query(sql`update projects set permission_generation = 0 where id = ${scene.project.id}`);
    await tx.query(sql`
      update permission_definitions set contained_permission_ids = '{}'
      where project_id = ${scene.project.id} and id = 'team_admin'
    `);
    await notify(tx, { topic: 'project', key: scene.project.id });
  });
  await heard;
  expect(await held()).toMatchObject({ status: 200, body: { items: [] } });
});
