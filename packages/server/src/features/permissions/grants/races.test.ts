import type { Outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Queryable, transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { asServer, openScene, type Scene } from '../../teams/scene.fixtures.ts';
import { grantTeamPermissions } from './team-store.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer({ environment: { TESSERA_DATABASE_POOL: '8' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
});

const many = <T>(work: (index: number) => Promise<T>) => Promise.all(Array.from({ length: 8 }, (_, i) => work(i)));
const statuses = (outcomes: readonly Outcome[]) => outcomes.map(({ status }) => status).sort();
const asAdmin = { level: 'admin' } as const;
const define = (id: string, contained: string[] = []) =>
  scene.call('POST /team-permission-definitions', { ...asAdmin, body: { id, contained_permission_ids: contained } });
const change = (id: string, body: object) =>
  scene.call('PATCH /team-permission-definitions/{id}', { ...asAdmin, params: { id }, body });
const remove = (id: string) => scene.call('DELETE /team-permission-definitions/{id}', { ...asAdmin, params: { id } });
const held = (query: Record<string, string>) => scene.call('GET /team-permissions', { ...asServer, query });
const onGrant = (method: 'POST' | 'DELETE', team_id: string, user_id: string, permission_id: string) =>
  scene.call(`${method} /team-permissions/{team_id}/{user_id}/{permission_id}`, {
    ...asServer,
    params: { team_id, user_id, permission_id },
    body: {},
  });

test('of eight concurrent creations of one id, one succeeds', async () => {
  expect(statuses(await many(() => define('one')))).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
});

test('an id stays unique over both scopes when it is created in both concurrently', async () => {
  const outcomes = await many(index =>
    scene.call(`POST /${index % 2 === 0 ? 'team' : 'project'}-permission-definitions`, {
      ...asAdmin,
      body: { id: 'one' },
    }),
  );
  expect(statuses(outcomes)).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
});

test('eight concurrent creations of different ids all succeed', async () => {
  expect(statuses(await many(index => define(`p${index}`)))).toEqual(Array(8).fill(201));
});

test('of eight concurrent renames to one id, one succeeds', async () => {
  for (let index = 0; index < 8; index++) await define(`p${index}`);
  expect(statuses(await many(index => change(`p${index}`, { id: 'one' })))).toEqual([200, ...Array(7).fill(400)]);
});

test('eight concurrent grants of one permission are stored once', async () => {
  const { id: team_id, powerless } = await scene.filledTeam();
  const outcomes = await many(() => onGrant('POST', team_id, powerless.id, 'team_admin'));
  expect(statuses(outcomes)).toEqual(Array(8).fill(201));
  expect(await held({ user_id: powerless.id })).toEqual({
    status: 200,
    body: { items: [{ id: 'team_admin', user_id: powerless.id, team_id }], is_paginated: false },
  });
});

test('of eight concurrent revocations, one is published', async () => {
  const { id: teamId, creator } = await scene.filledTeam();
  await scene.publishedEvents();
  const outcomes = await many(() => onGrant('DELETE', teamId, creator.id, 'team_admin'));
  expect(statuses(outcomes)).toEqual([200, ...Array(7).fill(401)]);
  expect((await scene.publishedEvents()).map(({ type }) => type)).toEqual(['team_permission.deleted']);
});

test('no grant is left when the definition is deleted concurrently', async () => {
  const { id: teamId, powerless } = await scene.filledTeam();
  await define('one');
  const [outcomes] = await Promise.all([many(() => onGrant('POST', teamId, powerless.id, 'one')), remove('one')]);
  for (const { status } of outcomes) expect([201, 404]).toContain(status);
  const left = await server.deps.db.query(
    sql`select user_id from team_permissions where project_id = ${scene.project.id} and permission_id = 'one'`,
  );
  expect(left).toEqual([]);
});

describe('an uncommitted grant', () => {
  /** Makes a grant and starts a change. Commits the grant when the change waits for its lock or has finished. */
  async function whileGranting(userId: string, teamId: string, begin: () => Promise<Outcome>): Promise<Outcome> {
    const begun = await transaction(server.deps.db, async tx => {
      await grantTeamPermissions(tx, scene.project.id, { teamId, userId, permissionIds: ['old'] });
      let isThrough = false;
      const outcome = begin().finally(() => {
        isThrough = true;
      });
      while (!isThrough && !(await hasWaitingLock(tx)));
      return { outcome };
    });
    return begun.outcome;
  }

  async function hasWaitingLock(db: Queryable): Promise<boolean> {
    const waiting = await db.query(sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `);
    return waiting.length > 0;
  }

  test('is renamed when its definition is renamed concurrently', async () => {
    const { id: team_id, powerless } = await scene.filledTeam();
    await define('old');
    const outcome = await whileGranting(powerless.id, team_id, () => change('old', { id: 'new' }));
    expect(outcome.status).toBe(200);
    expect(await held({ user_id: powerless.id })).toEqual({
      status: 200,
      body: { items: [{ id: 'new', user_id: powerless.id, team_id }], is_paginated: false },
    });
  });

  test('is deleted when its definition is deleted concurrently', async () => {
    const { id: teamId, powerless } = await scene.filledTeam();
    await define('old');
    const outcome = await whileGranting(powerless.id, teamId, () => remove('old'));
    expect(outcome.status).toBe(200);
    await define('old');
    expect(await held({ user_id: powerless.id })).toEqual({ status: 200, body: { items: [], is_paginated: false } });
  });
});

test('grants while the member leaves and the user is deleted cause no 5xx, and no grant is left', async () => {
  const { id: team_id, member, powerless } = await scene.filledTeam();
  const [grants, others] = await Promise.all([
    many(index => onGrant('POST', team_id, (index % 2 === 0 ? member : powerless).id, 'team_admin')),
    Promise.all([
      scene.call('DELETE /team-memberships/{team_id}/{user_id}', {
        ...asServer,
        params: { team_id, user_id: member.id },
      }),
      scene.call('DELETE /users/{user_id}', { ...asServer, params: { user_id: powerless.id } }),
    ]),
  ]);
  for (const { status } of grants) expect([201, 404]).toContain(status);
  expect(statuses(others)).toEqual([200, 200]);
  for (const { id: user_id } of [member, powerless]) {
    expect(await held({ user_id })).toEqual({ status: 200, body: { items: [], is_paginated: false } });
  }
});

test('a permission check during a rename of its definition always finds a permission that is always held', async () => {
  const { id: teamId, creator } = await scene.filledTeam();
  const query = { user_id: creator.id, team_id: teamId, recursive: 'true', permission_id: '$update_team' };
  const found = { status: 200, body: { items: [expect.anything()], is_paginated: false } };
  const renaming = (async () => {
    for (let round = 0; round < 6; round++) {
      await change(round % 2 === 0 ? 'team_admin' : 'boss', { id: round % 2 === 0 ? 'boss' : 'team_admin' });
    }
  })();
  const checks = await many(async () => [await held(query), await held(query), await held(query), await held(query)]);
  await renaming;
  expect(checks.flat()).toEqual(Array(32).fill(found));
});
