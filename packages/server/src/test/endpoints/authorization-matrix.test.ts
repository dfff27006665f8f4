import { type AccessLevel, type Endpoint, endpoints, isAtLeast, type Route, roleOf } from '@tessera/protocol';
import type { Answered, CallOptions, ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { upsertMember } from '../../features/projects/index.ts';
import { transaction } from '../../platform/database/database.ts';
import { openTestServer, type TestServer } from '../harness.ts';
import type { SignedUp } from '../make.ts';
import { authorizationRows, type Outcome, type Row, rowsConfig, type World } from './authorization-rows.ts';

let server: TestServer;
let other: ProjectAccess;
let owner: SignedUp;
let viewer: SignedUp;

beforeAll(async () => {
  // A faster hash: this test is not about hashing.
  const passwords = {
    hash: async (password: string) => `plain ${password}`,
    matches: async (password: string, stored: string | null) => stored === `plain ${password}`,
    needsRehash: () => false,
  };
  server = await openTestServer({ passwords });
  other = await server.make.project(rowsConfig);
  owner = await server.make.user();
  viewer = await server.make.user();
});
afterAll(() => server.close());

/** A caller: its credentials and level, and the outcome that the rules or the row expect. */
interface Caller {
  readonly credentials: (world: World) => Promise<CallOptions>;
  readonly expected: (endpoint: Endpoint, row: Row) => Outcome | undefined;
}

const callers: Record<string, Caller> = {
  noCredentials: {
    credentials: async () => ({ level: null }),
    expected: ({ access }, row) => (access === 'none' ? row.noCredentials : 'ACCESS_TYPE_REQUIRED'),
  },
  client: {
    credentials: async ({ project }) => ({ project }),
    expected: (endpoint, row) => byLevel(endpoint, 'client', row.client),
  },
  'client with the user': {
    credentials: async ({ project, ada }) => ({ project, accessToken: ada.accessToken }),
    expected: (endpoint, row) => byLevel(endpoint, 'client', row.user),
  },
  'client with another user': {
    credentials: async ({ project }) => ({ project, accessToken: (await server.make.user({ project })).accessToken }),
    expected: (endpoint, row) => byLevel(endpoint, 'client', row.otherUser),
  },
  server: {
    credentials: async ({ project }) => ({ project, level: 'server' }),
    expected: (endpoint, row) => byLevel(endpoint, 'server', row.server),
  },
  admin: {
    credentials: async ({ project }) => ({ project, level: 'admin' }),
    expected: (endpoint, row) => byLevel(endpoint, 'admin', row.admin ?? row.server),
  },
  "an owner's admin token at level admin": {
    credentials: async ({ project }) => ownersToken(project, 'admin'),
    expected: (endpoint, row) => byLevel(endpoint, 'admin', row.owner ?? row.admin ?? row.server),
  },
  "a viewer's admin token at level admin": {
    credentials: async ({ project }) => viewersToken(project),
    expected: (endpoint, row) =>
      roleOf(endpoint) === 'viewer'
        ? byLevel(endpoint, 'admin', row.viewer ?? row.owner ?? row.admin ?? row.server)
        : 'PROJECT_ROLE_INSUFFICIENT',
  },
  "an owner's admin token at level client": {
    credentials: async ({ project }) => ownersToken(project, 'client'),
    expected: (endpoint, row) => byLevel(endpoint, 'client', row.client),
  },
  "another project's client key": {
    credentials: async ({ project }) => ({ project: { ...other, id: project.id } }),
    expected: () => 'INVALID_PUBLISHABLE_CLIENT_KEY',
  },
  "another project's server key": {
    credentials: async ({ project }) => ({ project: { ...other, id: project.id }, level: 'server' }),
    expected: () => 'INVALID_SECRET_SERVER_KEY',
  },
  "another project's admin key": {
    credentials: async ({ project }) => ({ project: { ...other, id: project.id }, level: 'admin' }),
    expected: () => 'INVALID_SUPER_SECRET_ADMIN_KEY',
  },
  "another project's user": {
    credentials: async ({ project }) => ({
      project,
      accessToken: (await server.make.user({ project: other })).accessToken,
    }),
    expected: () => 'INVALID_PROJECT_FOR_ACCESS_TOKEN',
  },
  "an ordinary user's token as admin token": {
    credentials: async ({ project, ada }) => withAdminToken(project, 'admin', ada.accessToken),
    expected: () => 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN',
  },
};

function byLevel({ access }: Endpoint, level: AccessLevel, allowed: Outcome | undefined): Outcome | undefined {
  if (access !== 'none' && !isAtLeast(level, access)) return 'INSUFFICIENT_ACCESS_TYPE';
  return allowed;
}

async function ownersToken(project: ProjectAccess, level: AccessLevel): Promise<CallOptions> {
  const body = { server_metadata: { managedProjectIds: [project.id] } };
  await server.call('PATCH /users/me', { level: 'server', accessToken: owner.accessToken, body });
  return withAdminToken(project, level, owner.accessToken);
}

async function viewersToken(project: ProjectAccess): Promise<CallOptions> {
  const member = { projectId: project.id, userId: viewer.userId, role: 'viewer', nowMillis: 0 } as const;
  await transaction(server.deps.db, tx => upsertMember(tx, member));
  return withAdminToken(project, 'admin', viewer.accessToken);
}

function withAdminToken(project: ProjectAccess, level: AccessLevel, token: string): CallOptions {
  const without = { 'x-stack-publishable-client-key': '', 'x-stack-super-secret-admin-key': '' };
  return { project, level, headers: { ...without, 'x-stack-admin-access-token': token } };
}

function outcomeOf({ status, headers }: Answered): Outcome {
  if (status >= 200 && status < 300) return 'answers';
  return (headers.get('x-stack-known-error') as Outcome | null) ?? status;
}

const routes = endpoints.map(endpoint => [`${endpoint.method} ${endpoint.path}` as Route, endpoint] as const);

test('control 91: every endpoint has a row, and every row an endpoint', () => {
  expect(Object.keys(authorizationRows).sort()).toEqual(routes.map(([route]) => route).sort());
});

describe.each(routes.filter(([route]) => route in authorizationRows))('control 91: %s', (route, endpoint) => {
  const row = authorizationRows[route] ?? {};

  async function prepare(): Promise<{ world: World; requested: CallOptions }> {
    const project = await server.make.project(rowsConfig);
    const world = { server, project, ada: await server.make.user({ project }) };
    return { world, requested: { ...(await row.request?.(world)) } };
  }

  // A refused request changes nothing, so the refused callers share one world.
  let prepared: ReturnType<typeof prepare> | undefined;
  function prepareOnce(): ReturnType<typeof prepare> {
    prepared ??= prepare();
    return prepared;
  }

  test.each(Object.entries(callers))('%s', async (_, caller) => {
    const expected = caller.expected(endpoint, row) ?? 'something that the row must say';
    const { world, requested } = await (expected === 'answers' ? prepare() : prepareOnce());
    const answer = await server.call(route, { ...requested, ...(await caller.credentials(world)) });
    expect(outcomeOf(answer)).toBe(expected);
  });

  test('control 92: a request with the keys of another project never returns data of this one', async () => {
    const project = await server.make.project(rowsConfig);
    const ada = await server.make.user({ project });
    // A separate project, because the request may delete it.
    const another = await server.make.project(rowsConfig);
    const elsewhere = { ...(await row.request?.({ server, project, ada })), project: another };
    const levels = ['client', 'server', 'admin'] as const;
    const answers = await Promise.all(levels.map(level => server.call(route, { ...elsewhere, level })));
    for (const { text, headers } of answers) {
      // This error repeats the requested id.
      if (headers.get('x-stack-known-error') === 'USER_ID_DOES_NOT_EXIST') continue;
      expect(text).not.toContain(ada.userId);
      expect(text.replaceAll(`new-${ada.email}`, '')).not.toContain(ada.email);
    }
    const stillThere = await server.call('GET /users/me', { project, accessToken: ada.accessToken });
    expect(stillThere.json).toMatchObject({ id: ada.userId, display_name: null });
  });
});
