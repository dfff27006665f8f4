import { descriptionMaxLength, keySetsMax, keySetUseStepMs } from '@tessera/protocol';
import { internalKeys, type ProjectAccess } from '@tessera/testing/call';
import { anId, outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';

let server: TestServer;
let beside: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  beside = await openTestServer({ beside: server });
});
afterAll(async () => {
  await beside.close();
  await server.close();
});
beforeEach(async () => {
  project = await server.make.project();
});

const tooLong = 'x'.repeat(descriptionMaxLength + 1);
const farFuture = 4_000_000_000_000;
const all = {
  description: 'For the app',
  expires_at_millis: farFuture,
  has_publishable_client_key: true,
  has_secret_server_key: true,
  has_super_secret_admin_key: true,
};
const nothing = {
  has_publishable_client_key: false,
  has_secret_server_key: false,
  has_super_secret_admin_key: false,
};
const lastFour = { last_four: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{4}$/) };
const aKey = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}[0-9a-hjkmnp-tv-z]{45}$`));
const keySet = z.object({
  id: z.string(),
  publishable_client_key: z.string(),
  secret_server_key: z.string(),
  super_secret_admin_key: z.string(),
});

const admin = () => ({ project, level: 'admin' }) as const;
const create = (body: unknown = all) => server.call('POST /internal/api-keys', { ...admin(), body });
const made = async (body: object = all) => keySet.parse((await create({ ...all, ...body })).json);
const list = async () =>
  (await server.call('GET /internal/api-keys', admin())).json as { items: { id: string }[]; is_paginated: boolean };
const update = (id: string, body: unknown) =>
  server.call('PATCH /internal/api-keys/{id}', { ...admin(), params: { id }, body });
const notFound = { status: 404, code: 'API_KEY_NOT_FOUND' };

const levels = ['client', 'server', 'admin'] as const;
async function opens(set: z.infer<typeof keySet>, at = server): Promise<number[]> {
  const access = {
    id: project.id,
    publishableClientKey: set.publishable_client_key,
    secretServerKey: set.secret_server_key,
    superSecretAdminKey: set.super_secret_admin_key,
  };
  return Promise.all(
    levels.map(async level => (await at.call('GET /projects/current', { project: access, level })).status),
  );
}

describe('POST /internal/api-keys', () => {
  test('returns the keys, only in this response', async () => {
    const answer = await create();
    const fields = {
      id: anId,
      description: 'For the app',
      expires_at_millis: farFuture,
      created_at_millis: server.clock.now(),
    };
    expect(outcome(answer)).toEqual({
      status: 200,
      body: {
        ...fields,
        publishable_client_key: aKey('pck_'),
        secret_server_key: aKey('ssk_'),
        super_secret_admin_key: aKey('sak_'),
      },
    });
    const { id, ...keys } = keySet.parse(answer.json);
    const shown = {
      ...fields,
      publishable_client_key: { last_four: keys.publishable_client_key.slice(-4) },
      secret_server_key: { last_four: keys.secret_server_key.slice(-4) },
      super_secret_admin_key: { last_four: keys.super_secret_admin_key.slice(-4) },
    };
    const read = await server.call('GET /internal/api-keys/{id}', { ...admin(), params: { id } });
    expect(outcome(read)).toEqual({ status: 200, body: shown });
    expect((await list()).items).toContainEqual(shown);
  });

  test('returns keys that are accepted immediately', async () => {
    expect(await opens(await made())).toEqual([200, 200, 200]);
  });

  test('creates the keys that the body names, possibly none', async () => {
    const one = await create({ ...all, ...nothing, has_secret_server_key: true });
    expect(Object.keys(one.json as object).sort()).toEqual([
      'created_at_millis',
      'description',
      'expires_at_millis',
      'id',
      'secret_server_key',
    ]);
    const none = await create({ ...all, ...nothing });
    expect(Object.keys(none.json as object).sort()).toEqual([
      'created_at_millis',
      'description',
      'expires_at_millis',
      'id',
    ]);
  });

  test('accepts an expiry in the past, and the keys are refused', async () => {
    expect(await opens(await made({ expires_at_millis: server.clock.now() - 1 }))).toEqual([401, 401, 401]);
  });

  test('is refused for a project with a thousand sets that are not revoked, until one is revoked', async () => {
    await server.deps.db.query(sql`
      insert into api_key_sets (project_id, id, description, source, created_at_millis, expires_at_millis)
      select ${project.id}, gen_random_uuid(), '', 'project', 0, ${farFuture} from generate_series(3, ${keySetsMax})
    `);
    // The project has a set of its own.
    const { id } = await made();
    expect(outcome(await create())).toEqual({ status: 400, says: 'a sentence' });
    await update(id, { revoked: true });
    expect((await create()).status).toBe(200);
  });

  test('control 93: stores neither the keys nor any other value that authenticates', async () => {
    const { id, ...keys } = await made();
    const [row] = await server.deps.db.query<{ row: string }>(sql`
      select row_to_json(s)::text as row from api_key_sets s where project_id = ${project.id} and id = ${id}
    `);
    for (const key of Object.values(keys)) expect(row?.row).not.toContain(key.slice(0, 20));
  });

  test.each([
    {},
    { ...all, description: undefined },
    { ...all, description: null },
    { ...all, description: tooLong },
    { ...all, expires_at_millis: undefined },
    { ...all, expires_at_millis: null },
    { ...all, expires_at_millis: 1.5 },
    { ...all, has_secret_server_key: undefined },
    { ...all, has_secret_server_key: 'maybe' },
    { ...all, id: '11111111-1111-4111-8111-111111111111' },
  ])('refuses %j', async body => {
    expect(outcome(await create(body))).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
  });
});

describe('GET /internal/api-keys', () => {
  test('lists key sets newest first, with revoked and expired ones', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      server.clock.advance(1000);
      ids.unshift((await made({ expires_at_millis: index === 0 ? 1 : farFuture })).id);
    }
    await update(ids[1] ?? '', { revoked: true });
    const { items, is_paginated } = await list();
    expect(items.slice(0, 3).map(({ id }) => id)).toEqual(ids);
    expect(items).toHaveLength(4);
    expect(is_paginated).toBe(false);
    expect(items.map(item => 'manually_revoked_at_millis' in item)).toEqual([false, true, false, false]);
  });

  test('lists the key sets that the installation keeps for internal', async () => {
    const { json } = await server.call('GET /internal/api-keys', { level: 'admin' });
    expect((json as { items: unknown[] }).items).toContainEqual({
      id: anId,
      description: 'From the environment',
      created_at_millis: expect.any(Number),
      expires_at_millis: expect.any(Number),
      publishable_client_key: { last_four: internalKeys.publishableClientKey.slice(-4) },
      secret_server_key: { last_four: internalKeys.secretServerKey.slice(-4) },
      super_secret_admin_key: { last_four: internalKeys.superSecretAdminKey.slice(-4) },
    });
  });

  test('does not list the key sets of another project', async () => {
    const { id } = await made();
    const other = await server.make.project();
    const options = { project: other, level: 'admin', params: { id } } as const;
    expect(outcome(await server.call('GET /internal/api-keys/{id}', options))).toEqual(notFound);
    const revoke = { ...options, body: { revoked: true } };
    expect(outcome(await server.call('PATCH /internal/api-keys/{id}', revoke))).toEqual(notFound);
  });
});

describe('PATCH /internal/api-keys/{id}', () => {
  test('changes the description', async () => {
    const { id } = await made();
    expect(outcome(await update(id, { description: '' }))).toEqual({
      status: 200,
      body: {
        id,
        description: '',
        expires_at_millis: farFuture,
        created_at_millis: server.clock.now(),
        publishable_client_key: lastFour,
        secret_server_key: lastFour,
        super_secret_admin_key: lastFour,
      },
    });
  });

  test('control 93: revokes the keys at once, and on every process within a second', async () => {
    const set = await made();
    expect([await opens(set), await opens(set, beside)]).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ]);
    const answer = await update(set.id, { revoked: true });
    expect(answer.json).toMatchObject({ manually_revoked_at_millis: server.clock.now() });
    expect(await opens(set)).toEqual([401, 401, 401]);
    await expect.poll(() => opens(set, beside), { interval: 5 }).toEqual([401, 401, 401]);
  });

  test('keeps the first revocation time when a set is revoked again', async () => {
    const { id } = await made();
    const first = server.clock.now();
    await update(id, { revoked: true });
    server.clock.advance(1000);
    const again = await update(id, { revoked: true, description: 'Gone' });
    expect(again.json).toMatchObject({ manually_revoked_at_millis: first, description: 'Gone' });
  });

  test.each([
    { revoked: false },
    { revoked: null },
    { description: null },
    { description: tooLong },
    { expires_at_millis: farFuture },
  ])('refuses %j', async body => {
    const { id } = await made();
    expect(outcome(await update(id, body))).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
  });

  test('answers an unknown id with API_KEY_NOT_FOUND, and a malformed id with SCHEMA_ERROR', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    expect(outcome(await update(id, { revoked: true }))).toEqual(notFound);
    expect(outcome(await update('me', {}))).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
  });
});

test('control 97: the audit log records the creation, change and revocation of a key set', async () => {
  const { id } = await made();
  await update(id, { description: 'Renamed' });
  await update(id, { revoked: true });
  await update(id, { revoked: true });
  const rows = await server.deps.db.query(sql`
    select action, actor_type as "actorType", details from audit_events
    where project_id = ${project.id} and subject_type = 'key_set' and subject_id = ${id} order by action
  `);
  expect(rows).toMatchObject([
    { action: 'key_set.changed', actorType: 'admin_key' },
    {
      action: 'key_set.created',
      details: {
        kinds: ['publishableClientKey', 'secretServerKey', 'superSecretAdminKey'],
        description: 'For the app',
      },
    },
    { action: 'key_set.revoked' },
  ]);
});

describe('GET /internal/extensions/key-set-uses', () => {
  const lastUseOf = async (id: string) => {
    await Promise.all([server.deps.keySetUses.flush(), beside.deps.keySetUses.flush()]);
    const { json } = await server.call('GET /internal/extensions/key-set-uses', admin());
    const { items } = z
      .object({ items: z.array(z.object({ id: z.string(), last_used_at_millis: z.number().nullable() })) })
      .parse(json);
    return items.find(item => item.id === id)?.last_used_at_millis;
  };

  test('a set that is used has the time of its last use, to the minute and by all processes', async () => {
    const set = await made();
    expect(await lastUseOf(set.id)).toBeNull();
    server.clock.advance(keySetUseStepMs - (server.clock.now() % keySetUseStepMs));
    const firstMillis = server.clock.now();
    await opens(set);
    expect(await lastUseOf(set.id)).toBe(firstMillis);
    server.clock.advance(keySetUseStepMs - 1);
    await opens(set);
    await opens(set, beside);
    expect(await lastUseOf(set.id)).toBe(firstMillis);
    server.clock.advance(1);
    await opens(set, beside);
    expect(await lastUseOf(set.id)).toBe(firstMillis + keySetUseStepMs);
  });

  test('a refused key is not a use', async () => {
    const set = await made();
    await update(set.id, { revoked: true });
    await opens(set);
    expect(await lastUseOf(set.id)).toBeNull();
  });
});
