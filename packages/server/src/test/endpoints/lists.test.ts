import { comparePermissionIds, endpoints, type Route } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { asAdministrator } from '@tessera/testing/database';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openScene, type Person, type Scene } from '../../features/teams/scene.fixtures.ts';
import { openTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
let scene: Scene;
let ada: Person;
let teamId: string;
beforeAll(async () => {
  server = await openTestServer({ environment: { TESSERA_RATE_LIMITS: 'off' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, { allowUserApiKeys: true, allowTeamApiKeys: true });
  ada = await scene.person();
  teamId = await scene.team(ada);
  server.clock.advance(1);
});

type Item = Record<string, unknown>;

interface Row {
  /** The order, in the words of the endpoint's summary. */
  readonly says: string;
  /** The table with the rows. */
  readonly table: string;
  readonly request?: () => Pick<CallOptions, 'params' | 'query'>;
  /** Creates an item. @returns its key */
  readonly make: (count: number) => Promise<string>;
  readonly keyOf?: (item: Item) => string;
  /** The order of keys, when it is not the order of creation. */
  readonly compare?: (one: string, other: string) => number;
  readonly isNewestFirst?: boolean;
}

const withId = z.object({ id: z.string() });

async function made(route: Route, options: CallOptions): Promise<string> {
  const answer = await server.call(route, { project: scene.project, level: 'server', ...options });
  return withId.parse(answer.json).id;
}

const someKey = { description: '', expires_at_millis: null };
const byKey = (one: string, other: string) => (one < other ? -1 : 1);
/** Upper case determines the position of `_`. */
const names = ['b_', 'ba', 'b0', 'b:', 'a'];
const asAdmin = { level: 'admin' } as const;

/** A new user who gets a permission, in the team or in the project. */
async function grantee(): Promise<Person> {
  const person = await scene.person();
  await scene.join(teamId, person);
  return person;
}

const rows: Partial<Record<Route, Row>> = {
  'GET /users': {
    says: 'oldest first',
    table: 'users',
    request: () => ({ query: { query: 'listed' } }),
    make: () => made('POST /users', { body: { display_name: 'Listed' } }),
  },
  'GET /contact-channels': {
    says: 'oldest first',
    table: 'contact_channels',
    make: count => {
      const body = { user_id: ada.id, type: 'email', value: `p${9 - count}@example.com`, used_for_auth: false };
      return made('POST /contact-channels', { body });
    },
  },
  'GET /teams': {
    says: 'oldest first',
    table: 'teams',
    request: () => ({ query: { user_id: ada.id } }),
    make: () => made('POST /teams', { body: { display_name: 'x', creator_user_id: ada.id } }),
  },
  'GET /team-member-profiles': {
    says: 'in the order of joining',
    table: 'team_memberships',
    request: () => ({ query: { team_id: teamId } }),
    make: async () => (await grantee()).id,
    keyOf: item => String(item.user_id),
  },
  'GET /team-invitations': {
    says: 'oldest first',
    table: 'one_time_codes',
    request: () => ({ query: { team_id: teamId } }),
    make: count => {
      const body = { team_id: teamId, email: `p${9 - count}@example.com`, callback_url: 'http://localhost:3000' };
      return made('POST /team-invitations/send-code', { body });
    },
  },
  'GET /team-permission-definitions': {
    says: 'by id',
    table: 'permission_definitions',
    make: count => made('POST /team-permission-definitions', { ...asAdmin, body: { id: names[count] } }),
    compare: comparePermissionIds,
  },
  'GET /project-permission-definitions': {
    says: 'by id',
    table: 'permission_definitions',
    make: count => made('POST /project-permission-definitions', { ...asAdmin, body: { id: names[count] } }),
    compare: comparePermissionIds,
  },
  'GET /team-permissions': {
    says: 'by team, user and id',
    table: 'team_permissions',
    request: () => ({ query: { permission_id: '$update_team' } }),
    make: async () => {
      const params = { team_id: teamId, user_id: (await grantee()).id, permission_id: '$update_team' };
      await made('POST /team-permissions/{team_id}/{user_id}/{permission_id}', { params, body: {} });
      return params.user_id;
    },
    keyOf: item => String(item.user_id),
    compare: byKey,
  },
  'GET /project-permissions': {
    says: 'by user and id',
    table: 'project_permissions',
    request: () => ({ query: { user_id: ada.id } }),
    make: async count => {
      const id = names[count] ?? '';
      await made('POST /project-permission-definitions', { ...asAdmin, body: { id } });
      const params = { user_id: ada.id, permission_id: id };
      return made('POST /project-permissions/{user_id}/{permission_id}', { params, body: {} });
    },
    compare: comparePermissionIds,
  },
  'GET /user-api-keys': {
    says: 'newest first',
    table: 'api_keys',
    request: () => ({ query: { user_id: ada.id } }),
    make: () => made('POST /user-api-keys', { body: { ...someKey, user_id: ada.id } }),
    isNewestFirst: true,
  },
  'GET /team-api-keys': {
    says: 'newest first',
    table: 'api_keys',
    request: () => ({ query: { team_id: teamId } }),
    make: () => made('POST /team-api-keys', { body: { ...someKey, team_id: teamId } }),
    isNewestFirst: true,
  },
};

const tags = new Set(['Users', 'Contact channels', 'Teams', 'Permissions', 'API keys']);
const listEndpoints = endpoints.filter(({ summary, tag }) => tags.has(tag) && summary.startsWith('List '));

test('every list endpoint has a row, and every row a list endpoint', () => {
  expect(Object.keys(rows).sort()).toEqual(listEndpoints.map(({ path }) => `GET ${path}`).sort());
});

const listed = z.looseObject({ items: z.array(z.record(z.string(), z.unknown())) });

const cases = listEndpoints.flatMap(endpoint => {
  const route = `GET ${endpoint.path}` as Route;
  const row = rows[route];
  return row === undefined ? [] : [{ route, endpoint, row }];
});

describe.each(cases)('$route', ({ route, endpoint, row }) => {
  const keyOf = row.keyOf ?? (item => String(item.id));

  /** The keys of the created items, in the order of the list. */
  async function keys(makings: readonly string[]): Promise<string[]> {
    const answer = await server.call(route, { project: scene.project, level: 'admin', ...row.request?.() });
    return listed
      .parse(answer.json)
      .items.map(keyOf)
      .filter(key => makings.includes(key));
  }

  test('has a documented and stable order', async () => {
    expect(endpoint.summary).toContain(row.says);
    const together = [await row.make(0), await row.make(1), await row.make(2)];
    server.clock.advance(1);
    const later = [await row.make(3), await row.make(4)];
    const all = [...together, ...later];
    const oldestFirst = [...together.toSorted(byKey), ...later.toSorted(byKey)];
    const byTime = row.isNewestFirst === true ? oldestFirst.toReversed() : oldestFirst;
    const expected = row.compare === undefined ? byTime : all.toSorted(row.compare);
    expect(await keys(all)).toEqual(expected);
    // An updated row moves to another place in its table.
    await asAdministrator(server.connection, client =>
      client.query(`
        update ${row.table} set project_id = project_id
        where ctid in (select ctid from ${row.table} where project_id = '${scene.project.id}' limit 3)
      `),
    );
    expect(await keys(all)).toEqual(expected);
  });

  test('control 90: refuses other query parameters, and has the form of a list', async () => {
    const { params, query } = row.request?.() ?? {};
    const options = { project: scene.project, level: 'admin', params } as const;
    const surprised = await server.call(route, { ...options, query: { ...query, surprise: '1' } });
    expect(outcome(surprised)).toEqual({
      status: 400,
      code: 'SCHEMA_ERROR',
      details: { message: expect.stringContaining('query contains unknown properties: surprise') },
    });
    const answer = listed.parse((await server.call(route, { ...options, query })).json);
    const form =
      route === 'GET /users' ? { is_paginated: true, pagination: { next_cursor: null } } : { is_paginated: false };
    expect(answer).toEqual({ items: expect.any(Array), ...form });
  });
});
