import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { as, openScene, type Person, type Scene } from '../teams/scene.fixtures.ts';
import { check, keysOn, teamKey, userKey } from './test/keys.ts';

let server: TestServer;
let scene: Scene;
let ada: Person;
let teamId: string;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, keysOn);
  ada = await scene.person();
  teamId = await scene.team(ada);
});

const invalid = { status: 400, code: 'SCHEMA_ERROR', details: { message: expect.any(String) } };
const missing = (...missing_scopes: string[]) => ({
  status: 403,
  code: 'API_KEY_SCOPE_MISSING',
  details: { missing_scopes },
});
const scopes = ['invoices:read', 'invoices:write'];
const passes = expect.objectContaining({ status: 200 });
const withScopes = { status: 200, body: expect.objectContaining({ scopes }) };

describe.each(['user', 'team'] as const)('scopes of a %s key', kind => {
  const owner = () => (kind === 'user' ? { user_id: ada.id } : { team_id: teamId });
  const make = (fields: object) => (kind === 'user' ? userKey(scene, ada, fields) : teamKey(scene, teamId, fields));
  const create = (fields: object) =>
    scene.call(`POST /${kind}-api-keys`, {
      ...as(ada),
      body: { description: 'A key', expires_at_millis: null, ...owner(), ...fields },
    });

  test('every answer about the key has them, in the order of their creation', async () => {
    expect(await create({ scopes })).toEqual(withScopes);
    const { id, value } = await make({ scopes });
    const [params, query] = [{ id }, owner()];
    expect(await scene.call(`GET /${kind}-api-keys/{id}`, { ...as(ada), params, query })).toEqual(withScopes);
    expect(await scene.call(`GET /${kind}-api-keys`, { ...as(ada), query })).toEqual({
      status: 200,
      body: { items: [1, 2].map(() => expect.objectContaining({ scopes })), is_paginated: false },
    });
    const body = { description: 'Renamed' };
    expect(await scene.call(`PATCH /${kind}-api-keys/{id}`, { ...as(ada), params, query, body })).toEqual(withScopes);
    expect(await check(scene, kind, value)).toEqual(withScopes);
  });

  test('a key that was created without scopes has no such field in any answer', async () => {
    const { id, value } = await make({});
    const [params, query] = [{ id }, owner()];
    for (const answer of [
      await create({}),
      await scene.call(`GET /${kind}-api-keys/{id}`, { ...as(ada), params, query }),
      await scene.call(`PATCH /${kind}-api-keys/{id}`, { ...as(ada), params, query, body: { description: 'x' } }),
      await check(scene, kind, value),
    ]) {
      expect(answer).toEqual(passes);
      expect(answer).not.toHaveProperty('body.scopes');
    }
  });

  test('a check for a scope that the key does not have is refused and names it', async () => {
    const { value } = await make({ scopes: ['read'] });
    const checkFor = (...wanted: string[]) => check(scene, kind, value, { body: { api_key: value, scopes: wanted } });
    expect(await checkFor('read')).toEqual(passes);
    expect(await checkFor('write', 'read', 'admin')).toEqual(missing('write', 'admin'));
  });

  test('a check of a key without scopes passes for every scope', async () => {
    const { value } = await make({});
    expect(await check(scene, kind, value, { body: { api_key: value, scopes: ['write'] } })).toEqual(passes);
  });

  test('a revoked key with a missing scope is reported as revoked', async () => {
    const { id, value } = await make({ scopes: ['read'] });
    const body = { revoked: true };
    await scene.call(`PATCH /${kind}-api-keys/{id}`, { ...as(ada), params: { id }, query: owner(), body });
    expect(await check(scene, kind, value, { body: { api_key: value, scopes: ['write'] } })).toEqual({
      status: 401,
      code: 'API_KEY_REVOKED',
    });
  });

  test.each(['client', 'server', 'admin'] as const)('level %s cannot change them', async level => {
    const { id, value } = await make({ scopes: ['read'] });
    const caller = level === 'client' ? as(ada) : { level };
    for (const changed of [['read', 'write'], ['write'], null]) {
      const body = { scopes: changed };
      expect(
        await scene.call(`PATCH /${kind}-api-keys/{id}`, { ...caller, params: { id }, query: owner(), body }),
      ).toEqual(invalid);
    }
    expect(await check(scene, kind, value)).toEqual({
      status: 200,
      body: expect.objectContaining({ scopes: ['read'] }),
    });
  });

  test('50 scopes of 100 characters are accepted', async () => {
    const most = Array.from({ length: 50 }, (_, index) => String(index).padStart(100, 'a'));
    expect(await create({ scopes: most })).toEqual({ status: 200, body: expect.objectContaining({ scopes: most }) });
  });

  test.each([
    ['no scope', []],
    ['51 scopes', Array.from({ length: 51 }, (_, index) => `s${index}`)],
    ['a scope twice', ['read', 'read']],
    ['an empty scope', ['']],
    ['101 characters', ['a'.repeat(101)]],
    ['an upper-case letter', ['Read']],
    ['a blank', ['read write']],
    ['a system permission', ['$manage_api_keys']],
    ['a text', 'read'],
    ['an object', [{}]],
    ['null', null],
  ])('%s is refused at creation and at the check', async (_, wrong) => {
    expect(await create({ scopes: wrong })).toEqual(invalid);
    const { value } = await make({});
    expect(await check(scene, kind, value, { body: { api_key: value, scopes: wrong } })).toEqual(invalid);
  });
});
