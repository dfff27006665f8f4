import { randomUUID } from 'node:crypto';
import { apiKeyDescriptionMaxLength, rateLimits } from '@tessera/protocol';
import { anId } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { as, asServer, openScene, type Person, type Scene } from '../teams/scene.fixtures.ts';
import { aValue, keysOn, masked, teamKey, userKey } from './test/keys.ts';

let server: TestServer;
let scene: Scene;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, keysOn);
  [ada, bob] = [await scene.person(), await scene.person()];
  await scene.publishedEvents();
});

const notFound = { status: 404, code: 'API_KEY_NOT_FOUND' };
const sentence = (status: number) => ({ status, says: 'a sentence' });
const invalid = { status: 400, code: 'SCHEMA_ERROR', details: { message: expect.any(String) } };
const signedOut = { status: 401, code: 'USER_AUTHENTICATION_REQUIRED' };
const noUser = { status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' };
const list = (...items: unknown[]) => ({ status: 200, body: { items, is_paginated: false } });

type Options = Parameters<Scene['call']>[1];

const create = (body: unknown, options: Options = asServer) => scene.call('POST /user-api-keys', { ...options, body });
const read = (id: string, options: Options = asServer) =>
  scene.call('GET /user-api-keys/{id}', { ...options, params: { id } });
const update = (id: string, body: unknown, options: Options = asServer) =>
  scene.call('PATCH /user-api-keys/{id}', { ...options, params: { id }, body });
const listed = (query: Record<string, string>, options: Options = asServer) =>
  scene.call('GET /user-api-keys', { ...options, query });

const view = (person: Person, fields: object = {}) => ({
  id: anId,
  description: 'A key',
  type: 'user',
  user_id: person.id,
  is_public: false,
  created_at_millis: server.clock.now(),
  value: masked,
  ...fields,
});
const request = { description: 'A key', expires_at_millis: null };

describe('POST /user-api-keys', () => {
  test.each(['client', 'server', 'admin'] as const)('level %s: returns the secret value once', async level => {
    const options = { level, ...as(ada) };
    const outcome = await create({ ...request, user_id: 'me' }, options);
    expect(outcome).toEqual({ status: 200, body: view(ada, { value: aValue('sk', 'user') }) });
    const { id, value } = (outcome as { body: { id: string; value: string } }).body;
    expect(value).toContain(`${id.replaceAll('-', '')}user1574ck4u7h`);
    expect(await read(id, options)).toEqual({
      status: 200,
      body: view(ada, { id, value: { last_four: value.slice(-4) } }),
    });
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('creates a public key with an expiry time, an empty description, and a user id in capitals', async () => {
    const body = { description: '', expires_at_millis: 17, is_public: true, user_id: ada.id.toUpperCase() };
    expect(await create(body, as(ada))).toEqual({
      status: 200,
      body: view(ada, { description: '', is_public: true, expires_at_millis: 17, value: aValue('pk', 'user') }),
    });
  });

  test.each([0, null])('the expiry time %s means never', async expires_at_millis => {
    expect(await create({ ...request, expires_at_millis, user_id: ada.id })).toEqual({
      status: 200,
      body: view(ada, { value: aValue('sk', 'user') }),
    });
  });

  test('a server creates keys for any user, a client for its own user only', async () => {
    expect(await create({ ...request, user_id: bob.id })).toMatchObject({ status: 200, body: { user_id: bob.id } });
    expect(await create({ ...request, user_id: bob.id }, as(ada))).toEqual(sentence(403));
    expect(await create({ ...request, user_id: randomUUID() }, as(ada))).toEqual(sentence(403));
    expect(await create({ ...request, user_id: randomUUID() })).toEqual({ status: 404, code: 'USER_NOT_FOUND' });
    expect(await create({ ...request, user_id: ada.id }, as(null))).toEqual(signedOut);
    expect(await create({ ...request, user_id: 'me' }, as(null))).toEqual(noUser);
    expect(await create({ ...request, user_id: 'me' })).toEqual(noUser);
  });

  test.each([
    ['no description', { description: undefined }],
    ['a description that is null', { description: null }],
    ['a description that is too long', { description: 'x'.repeat(apiKeyDescriptionMaxLength + 1) }],
    ['no expiry time', { expires_at_millis: undefined }],
    ['a fractional expiry time', { expires_at_millis: 1.5 }],
    ['an expiry time of 1e300', { expires_at_millis: 1e300 }],
    ['no user id', { user_id: undefined }],
    ['a malformed user id', { user_id: 'x' }],
    ['the user id null', { user_id: null }],
    ['is_public null', { is_public: null }],
    ['control 90: a team id', { team_id: randomUUID() }],
    ['control 90: a value', { value: 'sk_mine' }],
    ['control 90: a prefix', { prefix: 'my' }],
  ])('%s is refused', async (_, fields) => {
    expect(await create({ ...request, user_id: ada.id, ...fields })).toEqual(invalid);
    expect(await listed({ user_id: ada.id })).toEqual(list());
  });
});

describe('GET /user-api-keys', () => {
  test('lists the newest first, including revoked and expired ones', async () => {
    const old = await userKey(scene, ada, { expires_at_millis: 1 });
    const createdAtMillis = server.clock.now();
    server.clock.advance(1_000);
    const revoked = await userKey(scene, ada, { description: 'Newer' });
    await update(revoked.id, { revoked: true });
    await userKey(scene, bob);
    const all = list(
      view(ada, { id: revoked.id, description: 'Newer', manually_revoked_at_millis: server.clock.now() }),
      view(ada, { id: old.id, created_at_millis: createdAtMillis, expires_at_millis: 1 }),
    );
    expect(await listed({ user_id: ada.id })).toEqual(all);
    expect(await listed({ user_id: ada.id.toUpperCase() }, { level: 'admin' })).toEqual(all);
    expect(await listed({ user_id: 'me' }, as(ada))).toEqual(all);
  });

  test('a server lists keys of any user, a client of its own user only', async () => {
    expect(await listed({ user_id: bob.id }, as(ada))).toEqual(sentence(403));
    expect(await listed({ user_id: ada.id }, as(null))).toEqual(signedOut);
    expect(await listed({ user_id: 'me' }, as(null))).toEqual(noUser);
    expect(await listed({ user_id: randomUUID() })).toEqual(list());
    for (const query of [{}, { user_id: 'x' }, { team_id: ada.id }, { user_id: ada.id, team_id: ada.id }] as const) {
      expect(await listed(query as Record<string, string>)).toEqual(invalid);
    }
  });
});

describe('/user-api-keys/{id}', () => {
  test('a change leaves the other fields unchanged', async () => {
    const { id } = await userKey(scene, ada, { expires_at_millis: 5 });
    expect(await update(id, {}, as(ada))).toEqual({ status: 200, body: view(ada, { id, expires_at_millis: 5 }) });
    expect(await update(id, { description: '' }, as(ada))).toEqual({
      status: 200,
      body: view(ada, { id, description: '', expires_at_millis: 5 }),
    });
    expect(await update(id, { expires_at_millis: 7 })).toEqual({
      status: 200,
      body: view(ada, { id, description: '', expires_at_millis: 7 }),
    });
    for (const never of [null, 0]) {
      await update(id, { expires_at_millis: 9 });
      expect(await update(id, { expires_at_millis: never })).toEqual({
        status: 200,
        body: view(ada, { id, description: '' }),
      });
    }
    expect(await read(id, as(ada))).toEqual({ status: 200, body: view(ada, { id, description: '' }) });
  });

  test('a second revocation keeps the time of the first one', async () => {
    const { id } = await userKey(scene, ada);
    const body = view(ada, { id, manually_revoked_at_millis: server.clock.now() });
    expect(await update(id, { revoked: true }, as(ada))).toEqual({ status: 200, body });
    server.clock.advance(5_000);
    expect(await update(id, { revoked: true })).toEqual({ status: 200, body });
    expect(await update(id, { revoked: false })).toEqual(invalid);
  });

  test('a client reads and changes keys of its own user only', async () => {
    const { id } = await userKey(scene, bob);
    for (const outcome of [await read(id, as(ada)), await update(id, { revoked: true }, as(ada))]) {
      expect(outcome).toEqual(sentence(403));
    }
    for (const outcome of [await read(id, as(null)), await update(id, {}, as(null))]) {
      expect(outcome).toEqual(signedOut);
    }
    expect(await read(randomUUID(), as(null))).toEqual(notFound);
    expect(await update(randomUUID(), {}, as(null))).toEqual(notFound);
    expect(await read(randomUUID(), as(ada))).toEqual(notFound);
    expect(await update(randomUUID(), {}, as(ada))).toEqual(notFound);
    expect(await read(id)).toEqual({ status: 200, body: view(bob, { id }) });
  });

  test('the user id in the query is only validated', async () => {
    const { id } = await userKey(scene, ada);
    const whole = { status: 200, body: view(ada, { id }) };
    expect(await read(id, { ...asServer, query: { user_id: bob.id } })).toEqual(whole);
    expect(await update(id, {}, { ...as(ada), query: { user_id: 'me' } })).toEqual(whole);
    expect(await read(id, { ...asServer, query: { user_id: 'me' } })).toEqual(noUser);
    for (const query of [{ user_id: 'x' }, { team_id: ada.id }, { limit: '1' }] as Record<string, string>[]) {
      expect(await read(id, { ...asServer, query })).toEqual(invalid);
      expect(await update(id, {}, { ...asServer, query })).toEqual(invalid);
    }
  });

  test('a team key and an unknown id answer API_KEY_NOT_FOUND, a malformed id SCHEMA_ERROR', async () => {
    const { id } = await teamKey(scene, await scene.team(ada));
    expect(await read(id)).toEqual(notFound);
    expect(await update(id, { revoked: true }, as(ada))).toEqual(notFound);
    expect(await read('x')).toEqual(invalid);
  });

  test.each([
    { user_id: 'me' },
    { team_id: randomUUID() },
    { is_public: true },
    { description: null },
    { revoked: null },
    { expires_at_millis: 'soon' },
    { last_used_at_millis: 1 },
  ])('control 90: the body %j is refused with SCHEMA_ERROR', async body => {
    const { id } = await userKey(scene, ada);
    expect(await update(id, body, { ...asServer, ...as(ada) })).toEqual(invalid);
  });

  test('control 92: a key of another project is not found', async () => {
    const { id } = await userKey(scene, ada);
    const { project } = await openScene(server, keysOn);
    const elsewhere = { ...asServer, project };
    expect(await read(id, elsewhere)).toEqual(notFound);
    expect(await update(id, { revoked: true }, elsewhere)).toEqual(notFound);
    expect(await listed({ user_id: ada.id }, elsewhere)).toEqual(list());
    expect(await create({ ...request, user_id: ada.id }, elsewhere)).toEqual({ status: 404, code: 'USER_NOT_FOUND' });
    expect(await read(id)).toEqual({ status: 200, body: view(ada, { id }) });
  });
});

test('the keys of a user are deleted with the user', async () => {
  const { id } = await userKey(scene, ada);
  await scene.call('DELETE /users/{user_id}', { ...asServer, params: { user_id: ada.id } });
  expect(await read(id)).toEqual(notFound);
});

test('a user who has created many API keys in an hour is refused with 429, and servers are not', async () => {
  const own = { ...request, user_id: 'me' };
  const { points, windowMs } = rateLimits.apiKeyCreationsPerUser;
  const key = `apiKeyCreationsPerUser:${scene.project.id}:${ada.id}`;
  await server.deps.db.query(
    sql`insert into rate_limits (key, points, expire) values (${key}, ${points - 1}, ${Date.now() + windowMs})`,
  );
  expect(await create(own, as(ada))).toMatchObject({ status: 200 });
  expect(await create(own, as(ada))).toEqual(sentence(429));
  expect(await create({ ...request, user_id: ada.id })).toMatchObject({ status: 200 });
  expect(await create(own, as(bob))).toMatchObject({ status: 200 });
});

test('changes of API keys count as writes of the user, and the first revocation of a key does not', async () => {
  const { id } = await userKey(scene, ada);
  const { points, windowMs } = rateLimits.clientWritesPerUser;
  const key = `clientWritesPerUser:${scene.project.id}:${ada.id}`;
  await server.deps.db.query(
    sql`insert into rate_limits (key, points, expire) values (${key}, ${points}, ${Date.now() + windowMs})`,
  );
  expect(await update(id, { description: 'x' }, as(ada))).toEqual(sentence(429));
  expect(await update(id, { revoked: true }, as(ada))).toMatchObject({ status: 200 });
  expect(await update(id, { revoked: true }, as(ada))).toEqual(sentence(429));
});
