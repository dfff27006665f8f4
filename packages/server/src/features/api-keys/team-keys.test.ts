import { randomUUID } from 'node:crypto';
import { anId } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { as, asServer, openScene, type Person, type Scene, type TeamFilled } from '../teams/scene.fixtures.ts';
import { aValue, keysOn, masked, teamKey, userKey } from './test/keys.ts';

let server: TestServer;
let scene: Scene;
let team: TeamFilled;
let outsider: Person;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, keysOn);
  [team, outsider] = [await scene.filledTeam(), await scene.person()];
  await scene.publishedEvents();
});

const notFound = { status: 404, code: 'API_KEY_NOT_FOUND' };
const invalid = { status: 400, code: 'SCHEMA_ERROR', details: { message: expect.any(String) } };
const signedOut = { status: 401, code: 'USER_AUTHENTICATION_REQUIRED' };
const list = (...items: unknown[]) => ({ status: 200, body: { items, is_paginated: false } });

type Options = Parameters<Scene['call']>[1];

const create = (body: unknown, options: Options = asServer) => scene.call('POST /team-api-keys', { ...options, body });
const listed = (team_id: string, options: Options = asServer) =>
  scene.call('GET /team-api-keys', { ...options, query: { team_id } });
const read = (id: string, options: Options = asServer) =>
  scene.call('GET /team-api-keys/{id}', { query: { team_id: team.id }, ...options, params: { id } });
const update = (id: string, body: unknown, options: Options = asServer) =>
  scene.call('PATCH /team-api-keys/{id}', { query: { team_id: team.id }, ...options, params: { id }, body });

const view = (fields: object = {}) => ({
  id: anId,
  description: 'A key',
  type: 'team',
  team_id: team.id,
  is_public: false,
  created_at_millis: server.clock.now(),
  value: masked,
  ...fields,
});
const request = { description: 'A key', expires_at_millis: null };
const made = z.object({ body: z.object({ user_id: z.string(), access_token: z.string() }) });

describe('POST /team-api-keys', () => {
  test.each(['client', 'server', 'admin'] as const)('level %s: returns the secret value once', async level => {
    const options = { level, ...as(team.creator) };
    const outcome = await create({ ...request, team_id: team.id.toUpperCase() }, options);
    expect(outcome).toEqual({ status: 200, body: view({ value: aValue('sk', 'team') }) });
    const { id, value } = (outcome as { body: { id: string; value: string } }).body;
    expect(value).toContain(`${id.replaceAll('-', '')}team1574ck4u7h`);
    expect(await read(id, options)).toEqual({ status: 200, body: view({ id, value: { last_four: value.slice(-4) } }) });
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('creates a public key with an expiry time', async () => {
    const body = { ...request, expires_at_millis: 17, is_public: true, team_id: team.id };
    expect(await create(body)).toEqual({
      status: 200,
      body: view({ is_public: true, expires_at_millis: 17, value: aValue('pk', 'team') }),
    });
  });

  test('a server gets TEAM_NOT_FOUND for an unknown team', async () => {
    const team_id = randomUUID();
    expect(await create({ ...request, team_id })).toEqual({
      status: 404,
      code: 'TEAM_NOT_FOUND',
      details: { team_id },
    });
  });

  test.each([
    ['a malformed team id', { team_id: 'x' }],
    ['the team id me', { team_id: 'me' }],
    ['no team', { team_id: undefined }],
    ['control 90: a user id', { user_id: randomUUID() }],
    ['no description', { description: undefined }],
    ['no expiry time', { expires_at_millis: undefined }],
  ])('%s is refused', async (_, fields) => {
    expect(await create({ ...request, team_id: team.id, ...fields })).toEqual(invalid);
  });
});

describe('a client creates a team key like any other credential', () => {
  test('control 68: an old session is refused with REAUTHENTICATION_REQUIRED', async () => {
    const freshSignInWithinMs = 60_000;
    scene = await openScene(server, { ...keysOn, freshSignInWithinMs });
    const { id, creator } = await scene.filledTeam();
    server.clock.advance(freshSignInWithinMs);
    const outcome = await create({ ...request, team_id: id }, as(creator));
    expect(outcome).toEqual({ status: 403, code: 'REAUTHENTICATION_REQUIRED' });
  });

  test('an anonymous member is refused with SIGN_UP_NOT_ENABLED while sign-up is off', async () => {
    scene = await openScene(server, { ...keysOn, anonymousUsersEnabled: true, signUpEnabled: false });
    const signedUp = await scene.call('POST /auth/anonymous/sign-up');
    const { user_id: id, access_token: accessToken } = made.parse(signedUp).body;
    const teamId = await scene.team();
    await scene.join(teamId, { id, accessToken });
    await scene.may(teamId, { id, accessToken }, ['$manage_api_keys']);
    const outcome = await create({ ...request, team_id: teamId }, { accessToken });
    expect(outcome).toEqual({ status: 400, code: 'SIGN_UP_NOT_ENABLED' });
  });
});

describe('a client manages team keys with the permission $manage_api_keys', () => {
  const all = async (options: Options) => {
    const { id } = await teamKey(scene, team.id);
    return [
      await create({ ...request, team_id: team.id }, options),
      await listed(team.id, options),
      await read(id, options),
      await update(id, { revoked: true }, options),
    ].map(({ status, ...rest }) => ('code' in rest ? rest.code : status));
  };
  const allowed = [200, 200, 200, 200];
  const hidden = Array(4).fill('API_KEY_NOT_FOUND');

  test('when another permission contains it', async () => {
    expect(await all(as(team.creator))).toEqual(allowed);
  });

  test('when it is granted directly', async () => {
    await scene.may(team.id, team.powerless, ['$manage_api_keys']);
    expect(await all(as(team.powerless))).toEqual(allowed);
  });

  test('and a caller without it gets the answer for an unknown team', async () => {
    expect(await all(as(team.member))).toEqual(hidden);
    expect(await all(as(outsider))).toEqual(hidden);
    expect(await all(as(null))).toEqual(Array(4).fill('USER_AUTHENTICATION_REQUIRED'));
  });

  test('in the team of the key, whatever team the query names', async () => {
    const { id } = await teamKey(scene, team.id);
    const query = { team_id: await scene.team(outsider) };
    expect(await read(id, { ...as(outsider), query })).toEqual(notFound);
    expect(await update(id, { revoked: true }, { ...as(outsider), query })).toEqual(notFound);
    expect(await read(id, { ...as(team.creator), query })).toEqual({ status: 200, body: view({ id }) });
    expect(await read(id, { ...as(null), query })).toEqual(signedOut);
    expect(await read(randomUUID(), { ...as(null), query })).toEqual(notFound);
  });

  test('an unknown team and a team of others get the same answer', async () => {
    const team_id = randomUUID();
    for (const options of [as(team.creator), as(outsider)]) {
      expect(await create({ ...request, team_id }, options)).toEqual(notFound);
      expect(await listed(team_id, options)).toEqual(notFound);
    }
    expect(await listed(team_id)).toEqual(list());
    expect(await listed(team_id, as(null))).toEqual(signedOut);
  });

  test('until the permission is revoked', async () => {
    await scene.may(team.id, team.creator, ['team_member']);
    expect(await all(as(team.creator))).toEqual(hidden);
  });
});

test('team keys are listed newest first, including revoked and expired ones', async () => {
  const old = await teamKey(scene, team.id, { expires_at_millis: 1 });
  const createdAtMillis = server.clock.now();
  server.clock.advance(1_000);
  const newer = await teamKey(scene, team.id, { description: 'Newer' });
  await update(newer.id, { revoked: true }, as(team.creator));
  await teamKey(scene, await scene.team());
  const all = list(
    view({ id: newer.id, description: 'Newer', manually_revoked_at_millis: server.clock.now() }),
    view({ id: old.id, created_at_millis: createdAtMillis, expires_at_millis: 1 }),
  );
  expect(await listed(team.id)).toEqual(all);
  expect(await listed(team.id.toUpperCase(), as(team.creator))).toEqual(all);
});

test('a change of a team key leaves the other fields unchanged', async () => {
  const expires_at_millis = server.clock.now() + 5;
  const { id } = await teamKey(scene, team.id, { expires_at_millis });
  expect(await update(id, { description: 'Other' })).toEqual({
    status: 200,
    body: view({ id, description: 'Other', expires_at_millis }),
  });
  expect(await update(id, { expires_at_millis: null }, as(team.creator))).toEqual({
    status: 200,
    body: view({ id, description: 'Other' }),
  });
  expect(await update(id, { revoked: true })).toEqual({
    status: 200,
    body: view({ id, description: 'Other', manually_revoked_at_millis: server.clock.now() }),
  });
  for (const body of [{ revoked: false }, { team_id: team.id }, { user_id: 'me' }]) {
    expect(await update(id, body, { ...asServer, ...as(outsider) })).toEqual(invalid);
  }
});

test('the list of team keys is refused without a team in the query', async () => {
  const { id } = await teamKey(scene, team.id);
  for (const query of [{}, { team_id: 'x' }, { team_id: team.id, user_id: randomUUID() }] as Record<string, string>[]) {
    expect(await read(id, { ...asServer, query })).toEqual(invalid);
    expect(await update(id, {}, { ...asServer, query })).toEqual(invalid);
    expect(await scene.call('GET /team-api-keys', { ...asServer, query })).toEqual(invalid);
  }
});

test('the team-key endpoints answer API_KEY_NOT_FOUND for a user key', async () => {
  const { id } = await userKey(scene, team.creator);
  expect(await read(id)).toEqual(notFound);
  expect(await update(id, { revoked: true }, as(team.creator))).toEqual(notFound);
  expect(await read(randomUUID())).toEqual(notFound);
});

test('control 92: a team key of another project is not found', async () => {
  const { id } = await teamKey(scene, team.id);
  const { project } = await openScene(server, keysOn);
  const elsewhere = { ...asServer, project };
  expect(await read(id, elsewhere)).toEqual(notFound);
  expect(await update(id, { revoked: true }, elsewhere)).toEqual(notFound);
  expect(await listed(team.id, elsewhere)).toEqual(list());
  expect(await create({ ...request, team_id: team.id }, elsewhere)).toMatchObject({ code: 'TEAM_NOT_FOUND' });
});

test('the keys of a team are deleted with the team', async () => {
  const { id } = await teamKey(scene, team.id);
  await scene.call('DELETE /teams/{team_id}', { ...asServer, params: { team_id: team.id } });
  expect(await read(id)).toEqual(notFound);
});

test('an expired key is not extended by a client, and is extended by a server', async () => {
  const { id } = await teamKey(scene, team.id, { expires_at_millis: server.clock.now() });
  for (const expires_at_millis of [null, 0, server.clock.now() + 1]) {
    expect(await update(id, { expires_at_millis }, as(team.creator))).toEqual({ status: 400, says: 'a sentence' });
  }
  expect(await update(id, { expires_at_millis: null })).toEqual({ status: 200, body: view({ id }) });
});
