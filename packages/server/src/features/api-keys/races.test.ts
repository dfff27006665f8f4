import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { whileHolding, whileWaitingToWrite } from '../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { as, asServer, openScene, type Scene } from '../teams/scene.fixtures.ts';
import { check, keysOn, teamKey, userKey } from './test/keys.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer({ environment: { TESSERA_DATABASE_POOL: '8' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, keysOn);
});

const many = <T>(work: (index: number) => Promise<T>) => Promise.all(Array.from({ length: 8 }, (_, i) => work(i)));
const request = { description: 'A key', expires_at_millis: null };

test('concurrent key creations and the deletion of the user: no 5xx, and no key remains', async () => {
  const { id: user_id } = await scene.person();
  const [outcomes, gone] = await Promise.all([
    many(() => scene.call('POST /user-api-keys', { ...asServer, body: { ...request, user_id } })),
    scene.call('DELETE /users/{user_id}', { ...asServer, params: { user_id } }),
  ]);
  for (const { status } of outcomes) expect([200, 404]).toContain(status);
  expect(gone.status).toBe(200);
  const left = await server.deps.db.query(sql`select id from api_keys where project_id = ${scene.project.id}`);
  expect(left).toEqual([]);
});

test('concurrent key creations and the deletion of the team: no 5xx, and no key remains', async () => {
  const team_id = await scene.team();
  const [outcomes, gone] = await Promise.all([
    many(() => scene.call('POST /team-api-keys', { ...asServer, body: { ...request, team_id } })),
    scene.call('DELETE /teams/{team_id}', { ...asServer, params: { team_id } }),
  ]);
  for (const { status } of outcomes) expect([200, 404]).toContain(status);
  expect(gone.status).toBe(200);
  const left = await server.deps.db.query(sql`select id from api_keys where project_id = ${scene.project.id}`);
  expect(left).toEqual([]);
});

test('eight concurrent revocations of one key return one revocation time', async () => {
  const { id } = await userKey(scene, await scene.person());
  const outcomes = await many(() => {
    server.clock.advance(1);
    return scene.call('PATCH /user-api-keys/{id}', { ...asServer, params: { id }, body: { revoked: true } });
  });
  const times = outcomes.map(one =>
    'body' in one ? (one.body as Record<string, unknown>).manually_revoked_at_millis : one,
  );
  expect(new Set(times).size).toBe(1);
});

test('concurrent changes of different fields of one key are all kept', async () => {
  const teamId = await scene.team();
  const { id } = await teamKey(scene, teamId);
  const change = (body: object) =>
    scene.call('PATCH /team-api-keys/{id}', { ...asServer, params: { id }, query: { team_id: teamId }, body });
  await Promise.all([change({ description: 'New' }), change({ expires_at_millis: 7 }), change({ revoked: true })]);
  expect(await change({})).toMatchObject({
    status: 200,
    body: { description: 'New', expires_at_millis: 7, manually_revoked_at_millis: server.clock.now() },
  });
});

test('every check that begins after the response to a revocation is refused', async () => {
  const { id, value } = await userKey(scene, await scene.person());
  const revoking = scene
    .call('PATCH /user-api-keys/{id}', { ...asServer, params: { id }, body: { revoked: true } })
    .then(() => many(() => check(scene, 'user', value)));
  const during = await many(() => check(scene, 'user', value));
  for (const { status } of during) expect([200, 401]).toContain(status);
  expect(await revoking).toEqual(Array(8).fill({ status: 401, code: 'API_KEY_REVOKED' }));
});

test('control 91: a member who concurrently leaves a team or loses the permission creates no key of the team, and extends none', async () => {
  const { id: team_id, creator } = await scene.filledTeam();
  const { id } = await teamKey(scene, team_id, { expires_at_millis: server.clock.now() + 1_000 });
  const options = { ...as(creator), query: { team_id } };
  const calls = [
    () => scene.call('POST /team-api-keys', { ...as(creator), body: { ...request, team_id } }),
    () => scene.call('PATCH /team-api-keys/{id}', { ...options, params: { id }, body: { expires_at_millis: 0 } }),
  ];
  const params = { team_id, user_id: creator.id };
  const losses = [
    () =>
      scene.call('DELETE /team-permissions/{team_id}/{user_id}/{permission_id}', {
        ...asServer,
        params: { ...params, permission_id: 'team_admin' },
      }),
    () => scene.call('DELETE /team-memberships/{team_id}/{user_id}', { ...asServer, params }),
  ];
  for (const work of calls) {
    for (const meanwhile of losses) {
      await scene.join(team_id, creator);
      await scene.may(team_id, creator, ['team_admin']);
      const refused = { status: 404, code: 'API_KEY_NOT_FOUND' };
      expect(await whileHolding(server, creator.id, { work, meanwhile })).toEqual(refused);
    }
  }
});

test('control 91: a member loses the permission after a creation or an extension of a key of the team that is under way', async () => {
  const { id: team_id, creator } = await scene.filledTeam();
  const { id } = await teamKey(scene, team_id, { expires_at_millis: server.clock.now() + 1_000 });
  const body = { expires_at_millis: 0 };
  const params = { team_id, user_id: creator.id, permission_id: 'boss' };
  const asAdmin = { level: 'admin' } as const;
  const changes = [
    () => scene.call('DELETE /team-permissions/{team_id}/{user_id}/{permission_id}', { ...asServer, params }),
    () => scene.call('DELETE /team-permission-definitions/{id}', { ...asAdmin, params: { id: 'boss' } }),
  ];
  const actions = [
    () => scene.call('POST /team-api-keys', { ...as(creator), body: { ...request, team_id } }),
    () => scene.call('PATCH /team-api-keys/{id}', { ...as(creator), query: { team_id }, params: { id }, body }),
  ];
  for (const action of actions) {
    for (const change of changes) {
      const definition = { id: 'boss', contained_permission_ids: ['team_admin'] };
      await scene.call('POST /team-permission-definitions', { ...asAdmin, body: definition });
      await scene.may(team_id, creator, ['boss']);
      const outcome = await whileWaitingToWrite(server, sql`api_keys`, { action, change });
      expect(outcome).toMatchObject({ isChangeFirst: false, action: { status: 200 }, change: { status: 200 } });
    }
  }
});
