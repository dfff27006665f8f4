import { ownerRecentSignInMs, type SvixEndpoint, svixEndpoints } from '@tessera/protocol';
import { type Answered, ask, type ProjectAccess } from '@tessera/testing/call';
import { anId } from '@tessera/testing/outcome';
import type { Svix } from 'svix';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { oneAfterTheOther } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import type { SignedUp } from '../../../test/make.ts';
import { upsertMember } from '../../projects/index.ts';
import { portalTokenOf, refusal, svixClient } from '../scene.fixtures.ts';

let server: TestServer;
let project: ProjectAccess;
let other: ProjectAccess;
let token: string;
let endpointId: string;

beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
  other = await server.make.project();
  token = await portalTokenOf(server, project);
  const url = 'https://receiver.example';
  endpointId = (await svixClient(server, token).endpoint.create(project.id, { url })).id;
});
afterAll(() => server.close());

const routes = Object.values<SvixEndpoint>(svixEndpoints).map(one => [`${one.method} ${one.path}`, one] as const);

function request(endpoint: SvixEndpoint, authorization: string | undefined, appId = project.id): Promise<Answered> {
  const path = endpoint.path
    .replace('{app_id}', appId)
    .replace('{endpoint_id}', endpointId)
    .replace('{msg_id}', 'msg_111111111111111111111111111');
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(endpoint.body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const body = endpoint.body === undefined ? {} : { body: '{}' };
  return ask(server.app, `/api/v1${path}`, { method: endpoint.method, headers, ...body });
}

const stranger = { status: 401, json: { code: 'authentication_failed', detail: 'Invalid token' } };

describe('control 91: every Svix-compatible route requires a token of its project', () => {
  describe.each(routes)('%s', (_, endpoint) => {
    test('a request without a token is refused with 401', async () => {
      expect(await request(endpoint, undefined)).toMatchObject(stranger);
    });

    test('another kind of credential is refused with 401', async () => {
      expect(await request(endpoint, `Basic ${btoa(`x:${token}`)}`)).toMatchObject(stranger);
      expect(await request(endpoint, `Bearer ${project.superSecretAdminKey}`)).toMatchObject(stranger);
    });

    test('a modified token is refused with 401', async () => {
      const changed = token.slice(0, -3) + (token.endsWith('AAA') ? 'BBB' : 'AAA');
      expect(await request(endpoint, `Bearer ${changed}`)).toMatchObject(stranger);
      expect(await request(endpoint, 'Bearer appsk_')).toMatchObject(stranger);
    });

    test('control 92: a token of another project is refused with 403', async () => {
      const theirs = await portalTokenOf(server, other);
      expect(await request(endpoint, `Bearer ${theirs}`)).toMatchObject({
        status: 403,
        json: { code: 'permission_denied', detail: expect.any(String) },
      });
    });

    test('the refusal of a token of another project contains no endpoint data', async () => {
      const theirs = await portalTokenOf(server, other);
      const { text } = await request(endpoint, `Bearer ${theirs}`, other.id);
      expect(text).not.toContain('receiver.example');
    });
  });
});

function setManagedProjects({ call }: TestServer, { userId }: SignedUp, managedProjectIds: string[]) {
  const body = { server_metadata: { managedProjectIds } };
  return call('PATCH /users/{user_id}', { level: 'server', params: { user_id: userId }, body });
}

/** An app portal token that a person requested with the own session. */
async function personsToken({ app }: TestServer, { id }: ProjectAccess, { accessToken }: SignedUp): Promise<string> {
  const headers = {
    'x-stack-access-type': 'admin',
    'x-stack-project-id': id,
    'x-stack-admin-access-token': accessToken,
    'content-type': 'application/json',
  };
  const answer = await ask(app, '/api/v1/webhooks/svix-token', { method: 'POST', headers, body: '{}' });
  return (answer.json as { token: string }).token;
}

describe('control 32: an app portal token ends with the credential that it was requested with', () => {
  const read = async (given: string, id: string) =>
    (await ask(server.app, `/api/v1/app/${id}/endpoint`, { headers: { authorization: `Bearer ${given}` } })).status;

  test('a token of a revoked key is refused with 401', async () => {
    const own = await server.make.project();
    const given = await portalTokenOf(server, own);
    expect(await read(given, own.id)).toBe(200);
    const at = { project: own, level: 'admin' } as const;
    const { items } = (await server.call('GET /internal/api-keys', at)).json as { items: { id: string }[] };
    for (const { id } of items) {
      await server.call('PATCH /internal/api-keys/{id}', { ...at, params: { id }, body: { revoked: true } });
    }
    expect(await read(given, own.id)).toBe(401);
  });

  test('a token of an owner is refused with 401 after the sign-out and after the loss of the project', async () => {
    const own = await server.make.project();
    const owner = await server.make.user();
    const manage = (ids: string[]) => setManagedProjects(server, owner, ids);
    await manage([own.id]);
    const given = await personsToken(server, own, owner);
    expect(await read(given, own.id)).toBe(200);
    await manage([]);
    expect(await read(given, own.id)).toBe(401);
    await manage([own.id]);
    expect(await read(given, own.id)).toBe(200);
    await server.call('DELETE /auth/sessions/current', {
      accessToken: owner.accessToken,
      refreshToken: owner.refreshToken,
    });
    expect(await read(given, own.id)).toBe(401);
  });
});

test('a portal token of an owner ends with the session of the owner', async () => {
  const timed = await openTestServer();
  const own = await timed.make.project();
  const owner = await timed.make.user();
  await setManagedProjects(timed, owner, [own.id]);
  const body = { user_id: owner.userId, expires_in_millis: 60_000 };
  const { json } = await timed.call('POST /auth/sessions', { level: 'server', body });
  const session = { ...owner, accessToken: (json as { access_token: string }).access_token };
  const given = await personsToken(timed, own, session);
  const status = async () =>
    (await ask(timed.app, `/api/v1/app/${own.id}/endpoint`, { headers: { authorization: `Bearer ${given}` } })).status;
  expect(await status()).toBe(200);
  timed.clock.advance(60_000);
  expect(await status()).toBe(401);
  await timed.close();
});

describe('a person who manages the project', () => {
  const read = async ({ app }: TestServer, given: string, path: string) => {
    const answer = await ask(app, `/api/v1/app${path}`, { headers: { authorization: `Bearer ${given}` } });
    return [answer.status, (answer.json as { code?: string }).code];
  };

  test('control 68: reads a signing secret within an hour of the sign-in, and a key at any time', async () => {
    const aged = await openTestServer({ environment: { TESSERA_ACCESS_TOKEN_LIFETIME: '24h' } });
    const own = await aged.make.project();
    const owner = await aged.make.user();
    await setManagedProjects(aged, owner, [own.id]);
    const byKey = await portalTokenOf(aged, own);
    const byPerson = await personsToken(aged, own, owner);
    const { id } = await svixClient(aged, byKey).endpoint.create(own.id, { url: 'https://receiver.example' });
    const path = `/${own.id}/endpoint/${id}`;
    expect(await read(aged, byPerson, `${path}/secret`)).toEqual([200, undefined]);
    aged.clock.advance(ownerRecentSignInMs);
    expect(await read(aged, byPerson, `${path}/secret`)).toEqual([403, 'reauthentication_required']);
    expect(await read(aged, byPerson, path)).toEqual([200, undefined]);
    expect(await read(aged, byKey, `${path}/secret`)).toEqual([200, undefined]);
    await aged.close();
  });

  test('reads no signing secret and changes nothing as a viewer', async () => {
    const own = await server.make.project();
    const viewer = await server.make.user();
    const member = { projectId: own.id, userId: viewer.userId, role: 'viewer', nowMillis: 0 } as const;
    await transaction(server.deps.db, tx => upsertMember(tx, member));
    const given = await personsToken(server, own, viewer);
    const { id } = await svixClient(server, await portalTokenOf(server, own)).endpoint.create(own.id, {
      url: 'https://receiver.example',
    });
    const path = `/${own.id}/endpoint/${id}`;
    expect(await read(server, given, path)).toEqual([200, undefined]);
    expect(await read(server, given, `${path}/secret`)).toEqual([403, 'project_role_insufficient']);
    const headers = { authorization: `Bearer ${given}` };
    const deletion = await ask(server.app, `/api/v1/app${path}`, { method: 'DELETE', headers });
    expect([deletion.status, (deletion.json as { code?: string }).code]).toEqual([403, 'project_role_insufficient']);
  });
});

describe('control 32: a change by a person whose access ends after the request was sent', () => {
  const url = 'https://receiver.example';
  let own: ProjectAccess;
  let admin: SignedUp;
  let given: string;
  beforeEach(async () => {
    own = await server.make.project();
    admin = await server.make.user();
    const member = { projectId: own.id, userId: admin.userId, role: 'admin', nowMillis: 0 } as const;
    await transaction(server.deps.db, tx => upsertMember(tx, member));
    given = await personsToken(server, own, admin);
  });

  const removeMember = () =>
    server.deps.db.query(sql`delete from project_members where project_id = ${own.id} and user_id = ${admin.userId}`);
  const suspend = () => {
    const params = { user_id: admin.userId };
    return server.call('PUT /extensions/users/{user_id}/suspension', { level: 'server', params, body: {} });
  };
  const signOut = () => server.call('DELETE /auth/sessions/current', { accessToken: admin.accessToken });
  const endpoints = async () =>
    (await svixClient(server, await portalTokenOf(server, own)).endpoint.list(own.id)).data.map(one => one.url);

  test.each([
    ['the removal of the member', removeMember],
    ['the suspension of the account', suspend],
    ['the sign-out', signOut],
  ])('is refused with 401 when the body arrives after %s', async (_, end) => {
    const pull = async (controller: ReadableStreamDefaultController) => {
      await end();
      controller.enqueue(new TextEncoder().encode(JSON.stringify({ url })));
      controller.close();
    };
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${given}`, 'content-type': 'application/json' },
      body: new ReadableStream({ pull }, { highWaterMark: 0 }),
      duplex: 'half' as const,
    };
    const answer = await server.app(new Request(`http://localhost:4280/api/v1/app/${own.id}/endpoint`, init));
    expect([answer.status, await answer.json()]).toEqual([401, stranger.json]);
    expect(await endpoints()).toEqual([]);
  });

  const changes: [string, (svix: Svix, id: string) => Promise<unknown>][] = [
    ['creation', svix => svix.endpoint.create(own.id, { url: `${url}/2` })],
    ['change', (svix, id) => svix.endpoint.patch(own.id, id, { url: `${url}/3` })],
    ['new signing secret', (svix, id) => svix.endpoint.rotateSecret(own.id, id)],
    ['deletion', (svix, id) => svix.endpoint.delete(own.id, id)],
  ];

  test.each(changes)('is refused with 401 when a suspension overtakes it: %s of an endpoint', async (_, change) => {
    const { id } = await svixClient(server, await portalTokenOf(server, own)).endpoint.create(own.id, { url });
    const calls = { first: suspend, second: () => refusal(change(svixClient(server, given), id)) };
    const [, refused] = await oneAfterTheOther(server, admin.userId, calls);
    expect(refused).toEqual([401, stranger.json]);
    expect(await endpoints()).toEqual([url]);
  });
});

test('an app portal token expires after one day', async () => {
  const aged = await openTestServer();
  const own = await aged.make.project();
  const svix = svixClient(aged, await portalTokenOf(aged, own));
  aged.clock.advance(24 * 3600 * 1000 - 1);
  expect((await svix.endpoint.list(own.id)).data).toEqual([]);
  aged.clock.advance(1);
  expect(await refusal(svix.endpoint.list(own.id))).toEqual([401, stranger.json]);
  await aged.close();
});

test('an app portal token of another installation is refused', async () => {
  const fetched = svixClient(server, `appsk_${Buffer.alloc(120, 1).toString('base64url')}`);
  expect(await refusal(fetched.application.get(project.id))).toEqual([401, stranger.json]);
});

describe('responses of the Svix-compatible routes', () => {
  const authorized = () => ({ headers: { authorization: `Bearer ${token}` } });

  test('have the headers of all API responses', async () => {
    const [envelope, svix] = await Promise.all([
      ask(server.app, '/api/v1/nowhere'),
      ask(server.app, `/api/v1/app/${project.id}`, authorized()),
    ]);
    const named = ({ headers }: Answered) => {
      const { 'content-type': _, 'x-stack-request-id': id, ...rest } = Object.fromEntries(headers);
      return { ...rest, hasId: /^[0-9a-hjkmnp-tv-z]{16}$/.test(id ?? '') };
    };
    expect(named(svix)).toEqual(named(envelope));
    expect(svix.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('are the same with a trailing slash in the path', async () => {
    const answers = await Promise.all(
      ['', '/', '/endpoint', '/endpoint/', '/msg/'].map(path =>
        ask(server.app, `/api/v1/app/${project.id}${path}`, authorized()),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  test.each([
    ['GET', '/nowhere'],
    ['GET', '/endpoint/ep_1'],
    ['GET', '/endpoint/%00'],
    ['GET', '/msg/%00'],
    ['GET', '/attempt/msg/msg_%00'],
    ['GET', '/endpoint/ep_00000000000000000000000000000000'],
    ['GET', '/msg/nothing'],
    ['DELETE', '/endpoint'],
    ['POST', ''],
  ])('for the unknown %s %s are 404', async (method, path) => {
    const answer = await ask(server.app, `/api/v1/app/${project.id}${path}`, { method, ...authorized() });
    expect([answer.status, answer.json]).toEqual([404, { code: 'not_found', detail: 'Entity not found' }]);
  });

  test('describe a body that is not valid JSON', async () => {
    const init = {
      method: 'POST',
      body: '{',
      headers: { ...authorized().headers, 'content-type': 'application/json' },
    };
    const broken = await ask(server.app, `/api/v1/app/${project.id}/endpoint`, init);
    expect([broken.status, broken.json]).toEqual([
      400,
      { code: 'body_parsing_error', detail: 'The body is not valid JSON.' },
    ]);
    const large = await ask(server.app, `/api/v1/app/${project.id}/endpoint`, { ...init, body: 'x'.repeat(1_600_000) });
    expect([large.status, large.json]).toEqual([413, { code: 'payload_too_large', detail: expect.any(String) }]);
  });

  test('to a preflight allow the headers of the Svix browser client', async () => {
    const answer = await ask(server.app, `/api/v1/app/${project.id}/endpoint`, { method: 'OPTIONS' });
    const allowed = answer.headers.get('access-control-allow-headers') ?? '';
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(allowed).toMatch(/authorization.*idempotency-key, svix-req-id, svix-retry-count, user-agent$/);
  });
});

test('control 70: changes of webhooks are rate limited, reads are not', async () => {
  const own = await server.make.project();
  const svix = svixClient(server, await portalTokenOf(server, own));
  await server.deps.db.query(sql`
    insert into rate_limits (key, points, expire)
    values (${`webhookChangesPerProject:${own.id}:all`}, 999, ${Date.now() + 60_000})
  `);
  const { id } = await svix.endpoint.create(own.id, { url: 'https://receiver.example' });
  const headers = { authorization: `Bearer ${await portalTokenOf(server, own)}` };
  const answer = await ask(server.app, `/api/v1/app/${own.id}/endpoint/${id}`, { method: 'DELETE', headers });
  expect([answer.status, answer.json]).toEqual([429, { code: 'rate_limited', detail: expect.any(String) }]);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await svix.endpoint.list(own.id)).data).toHaveLength(1);
});

test('control 97: changes of webhooks are recorded in the audit log with their actor', async () => {
  const own = await server.make.project();
  const svix = svixClient(server, await portalTokenOf(server, own));
  const { id } = await svix.endpoint.create(own.id, { url: 'https://receiver.example' });
  await svix.endpoint.rotateSecret(own.id, id);
  await server.deps.audit.flush();
  const events = await server.deps.db.query(sql`
    select action, actor_type as actor, actor_id as "actorId", details from audit_events
    where project_id = ${own.id} and details ->> 'route' like '%/app/%' order by at_millis, details ->> 'route'
  `);
  expect(events).toEqual([
    {
      action: 'admin.request',
      actor: 'admin_key',
      actorId: anId,
      details: { route: 'POST /app/{app_id}/endpoint', params: {} },
    },
    {
      action: 'admin.request',
      actor: 'admin_key',
      actorId: anId,
      details: { route: 'POST /app/{app_id}/endpoint/{endpoint_id}/secret/rotate', params: { endpoint_id: id } },
    },
  ]);
});
