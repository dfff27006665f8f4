import { randomBytes, randomUUID } from 'node:crypto';
import { displayNameMaxLength, metadataMaxBytes, rateLimits } from '@tessera/protocol';
import { anId } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { limitDeletedRows } from '../../test/statement-size.ts';
import { as, asServer, openScene, type Person, type Scene } from './scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  [ada, bob] = [await scene.person({ display_name: 'Ada' }), await scene.person()];
  await scene.publishedEvents();
});

const image = 'data:image/png;base64,aaaa';
const link = 'https://example.com/team.png';
const sentence = (status: number) => ({ status, says: 'a sentence' });
const success = { status: 200, body: { success: true } };
const signedOut = { status: 401, code: 'USER_AUTHENTICATION_REQUIRED' };
const noUser = { status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' };
const noTeam = (team_id: string) => ({ status: 404, code: 'TEAM_NOT_FOUND', details: { team_id } });
const notIn = (team_id: string, { id: user_id }: Person) => ({
  status: 404,
  code: 'TEAM_MEMBERSHIP_NOT_FOUND',
  details: { team_id, user_id },
});
const mayNot = (team_id: string, { id: user_id }: Person, permission_id: string) => ({
  status: 401,
  code: 'TEAM_PERMISSION_REQUIRED',
  details: { team_id, user_id, permission_id },
});
const clientTeam = {
  id: anId,
  display_name: 'Engines',
  profile_image_url: null,
  client_metadata: null,
  client_read_only_metadata: null,
};
const serverTeam = () => ({ ...clientTeam, server_metadata: null, created_at_millis: server.clock.now() });
const idOf = (outcome: unknown) => (outcome as { body: { id: string } }).body.id;

describe('creating a team', () => {
  const create = (options: Parameters<Scene['call']>[1]) => scene.call('POST /teams', options);
  const body = { display_name: 'Engines' };
  const grants = (teamId: string, { id }: Person) =>
    scene.call('GET /team-member-profiles', { ...asServer, query: { team_id: teamId, user_id: id } });

  test('a user who has created many teams in an hour is refused with 429, and servers are not', async () => {
    const { points, windowMs } = rateLimits.teamCreationsPerUser;
    const key = `teamCreationsPerUser:${scene.project.id}:${ada.id}`;
    await server.deps.db.query(
      sql`insert into rate_limits (key, points, expire) values (${key}, ${points - 1}, ${Date.now() + windowMs})`,
    );
    expect(await create({ ...as(ada), body })).toMatchObject({ status: 201 });
    expect(await create({ ...as(ada), body })).toEqual(sentence(429));
    expect(await create({ ...asServer, body })).toMatchObject({ status: 201 });
    expect(await create({ ...as(bob), body })).toMatchObject({ status: 201 });
  });

  test('a client becomes creator and member with all creator permissions', async () => {
    const outcome = await create({ ...as(ada), body });
    expect(outcome).toEqual({ status: 201, body: clientTeam });
    const params = { team_id: idOf(outcome) };
    const renamed = await scene.call('PATCH /teams/{team_id}', { ...as(ada), params, body: { display_name: 'Looms' } });
    expect(renamed).toEqual({ status: 200, body: { ...clientTeam, display_name: 'Looms' } });
    expect(await scene.call('DELETE /teams/{team_id}', { ...as(ada), params })).toEqual(success);
  });

  test('only team.created is published, without the membership and grants of the creator', async () => {
    await create({ ...as(ada), body });
    expect(await scene.publishedEvents()).toEqual([{ type: 'team.created', data: serverTeam() }]);
  });

  test('the new team is not selected', async () => {
    await create({ ...as(ada), body });
    const me = await scene.call('GET /users/me', as(ada));
    expect(me).toEqual({ status: 200, body: expect.objectContaining({ selected_team_id: null, selected_team: null }) });
  });

  test.each([
    ['itself by id', () => ({ creator_user_id: ada.id })],
    ['itself in capitals', () => ({ creator_user_id: ada.id.toUpperCase() })],
    ['itself as me', () => ({ creator_user_id: 'me' })],
  ])('a client can name itself as creator: %s', async (_, given) => {
    expect(await create({ ...as(ada), body: { ...body, ...given() } })).toEqual({ status: 201, body: clientTeam });
  });

  test('a client can set every client field', async () => {
    const fields = { display_name: '', profile_image_url: image, client_metadata: { b: [1], a: null } };
    const expected = { ...clientTeam, ...fields };
    expect(await create({ ...as(ada), body: fields })).toEqual({ status: 201, body: expected });
  });

  test('a server can set every server field', async () => {
    const fields = {
      // Random: PostgreSQL would compress a repeated character before it checks the size of an index entry.
      display_name: randomBytes(displayNameMaxLength / 2).toString('hex'),
      profile_image_url: link,
      client_metadata: 'text',
      client_read_only_metadata: 0,
      server_metadata: { deep: [{}] },
    };
    expect(await create({ ...asServer, body: fields })).toEqual({ status: 201, body: { ...serverTeam(), ...fields } });
  });

  test.each([
    ['a signed-out client', {}, signedOut],
    ['a signed-out client that names me', { creator_user_id: 'me' }, noUser],
    ['a signed-out client with a linked image', { profile_image_url: link }, signedOut],
  ])('control 91: %s cannot create a team', async (_, given, expected) => {
    expect(await create({ body: { ...body, ...given } })).toEqual(expected);
  });

  test.each([
    ['for another user', () => ({ creator_user_id: bob.id }), 403],
    ['with a linked image', () => ({ profile_image_url: link }), 400],
    ['for another user and with a linked image', () => ({ creator_user_id: bob.id, profile_image_url: link }), 400],
    ['with metadata that is too large', () => ({ client_metadata: 'x'.repeat(metadataMaxBytes) }), 400],
  ])('a client cannot create a team %s', async (_, given, status) => {
    expect(await create({ ...as(ada), body: { ...body, ...given() } })).toEqual(sentence(status));
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('clients cannot create teams when the setting is off, and servers can', async () => {
    scene = await openScene(server, { clientTeamCreationEnabled: false });
    const stranger = await scene.person();
    expect(await create({ ...as(stranger), body: { ...body, profile_image_url: link } })).toEqual(sentence(403));
    expect(await create({ body })).toEqual(signedOut);
    expect(await create({ ...asServer, body })).toEqual({ status: 201, body: serverTeam() });
  });

  test('a server creates a team without members, even with the access token of a user', async () => {
    const outcome = await create({ ...asServer, ...as(ada), body });
    expect(outcome).toEqual({ status: 201, body: serverTeam() });
    const members = await scene.call('GET /team-member-profiles', { ...asServer, query: { team_id: idOf(outcome) } });
    expect(members).toEqual({ status: 200, body: { items: [], is_paginated: false } });
  });

  test.each([
    ['by id', () => ({ ...asServer, body: { ...body, creator_user_id: ada.id } })],
    ['as me', () => ({ ...asServer, ...as(ada), body: { ...body, creator_user_id: 'me' } })],
    ['with add_current_user', () => ({ ...asServer, ...as(ada), body, query: { add_current_user: 'true' } })],
    ['as an admin', () => ({ level: 'admin' as const, body: { ...body, creator_user_id: ada.id } })],
  ])('a server names the creator %s', async (_, options) => {
    const outcome = await create(options());
    expect(outcome).toEqual({ status: 201, body: serverTeam() });
    const members = await grants(idOf(outcome), ada);
    expect(members).toEqual({ status: 200, body: { items: [expect.anything()], is_paginated: false } });
  });

  test('an unknown creator is refused, and no team is created', async () => {
    const outcome = await create({ ...asServer, body: { ...body, creator_user_id: randomUUID() } });
    expect(outcome).toEqual({ status: 404, code: 'USER_NOT_FOUND' });
    expect(await scene.call('GET /teams', asServer)).toEqual({ status: 200, body: { items: [], is_paginated: false } });
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('control 92: a creator of another project is refused with USER_NOT_FOUND', async () => {
    const stranger = await (await openScene(server)).person();
    const outcome = await create({ ...asServer, body: { ...body, creator_user_id: stranger.id } });
    expect(outcome).toEqual({ status: 404, code: 'USER_NOT_FOUND' });
  });

  test.each([
    ['both ways at once', () => ({ ...asServer, body: { ...body, creator_user_id: ada.id } }), 'true', sentence(400)],
    ['the older way without a user', () => ({ ...asServer, body }), 'true', sentence(401)],
    ['the older way switched off', () => ({ ...asServer, body }), 'false', { status: 201, body: expect.anything() }],
    ['the older way for a client', () => ({ ...as(ada), body }), 'true', { status: 201, body: clientTeam }],
    ['something else', () => ({ ...asServer, body }), 'maybe', expect.objectContaining({ code: 'SCHEMA_ERROR' })],
  ])('add_current_user: %s', async (_, options, value, expected) => {
    expect(await create({ ...options(), query: { add_current_user: value } })).toEqual(expected);
  });

  test.each([
    ['no body', undefined],
    ['no name', {}],
    ['a name that is null', { display_name: null }],
    ['a name that is too long', { display_name: 'x'.repeat(displayNameMaxLength + 1) }],
    ['control 90: an id in the body', { ...body, id: randomUUID() }],
    ['control 90: a creation time in the body', { ...body, created_at_millis: 0 }],
    ['an empty image', { ...body, profile_image_url: '' }],
    ['an image with a blank', { ...body, profile_image_url: 'https://example.com/a b' }],
    ['a malformed creator id', { ...body, creator_user_id: 'ada' }],
  ])('%s is refused with SCHEMA_ERROR', async (_, given) => {
    const outcome = await create({ ...asServer, body: given });
    expect(outcome).toEqual({ status: 400, code: 'SCHEMA_ERROR', details: expect.anything() });
  });

  test.each(['client_read_only_metadata', 'server_metadata'])('control 89: a client cannot write %s', async key => {
    const outcome = await create({ ...as(ada), body: { ...body, [key]: {} } });
    expect(outcome).toEqual({ status: 400, code: 'SCHEMA_ERROR', details: expect.anything() });
  });

  test('control 81: prototype keys in metadata are stored as data', async () => {
    const client_metadata = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": 2}}');
    const params = { team_id: idOf(await create({ ...as(ada), body: { ...body, client_metadata } })) };
    const { json } = await server.call('GET /teams/{team_id}', { project: scene.project, ...as(ada), params });
    expect(JSON.stringify((json as { client_metadata: unknown }).client_metadata)).toBe(
      JSON.stringify(client_metadata),
    );
    expect({}).not.toHaveProperty('polluted');
  });

  test('default permissions that are no longer team permissions are skipped', async () => {
    scene = await openScene(server, { teamCreatorDefaultPermissions: ['gone', '$update_team'] });
    const stranger = await scene.person();
    const params = { team_id: await scene.team(stranger) };
    const update = { ...as(stranger), params, body: {} };
    expect(await scene.call('PATCH /teams/{team_id}', update)).toEqual({ status: 200, body: clientTeam });
    expect(await scene.call('DELETE /teams/{team_id}', { ...as(stranger), params })).toEqual(
      mayNot(params.team_id, stranger, '$delete_team'),
    );
  });
});

describe('listing teams', () => {
  const list = (options: Parameters<Scene['call']>[1]) => scene.call('GET /teams', options);
  const ids = async (options: Parameters<Scene['call']>[1]) => {
    const outcome = (await list(options)) as unknown as { body: { items: { id: string }[] } };
    return outcome.body.items.map(({ id }) => id);
  };

  test('a client gets the teams of its user, oldest first, in the client view', async () => {
    const first = await scene.team(ada);
    server.clock.advance(1);
    await scene.team(bob);
    server.clock.advance(1);
    const last = await scene.team(ada, { server_metadata: 'secret' });
    const items = [first, last].map(id => ({ ...clientTeam, id }));
    const expected = { status: 200, body: { items, is_paginated: false } };
    expect(await list({ ...as(ada), query: { user_id: 'me' } })).toEqual(expected);
    expect(await list({ ...as(ada), query: { user_id: ada.id.toUpperCase() } })).toEqual(expected);
  });

  test('the list is ordered by the age of the teams, not of the memberships', async () => {
    const older = await scene.team();
    server.clock.advance(1);
    const newer = await scene.team(ada);
    await scene.join(older, ada);
    expect(await ids({ ...as(ada), query: { user_id: 'me' } })).toEqual([older, newer]);
  });

  test('control 91: a client cannot list the teams of another user or of the whole project', async () => {
    await scene.team(bob);
    expect(await list({ ...as(ada), query: { user_id: bob.id } })).toEqual(sentence(403));
    expect(await list(as(ada))).toEqual(sentence(403));
    expect(await list({})).toEqual(noUser);
    expect(await list({ query: { user_id: bob.id } })).toEqual(noUser);
    expect(await list({ query: { user_id: 'me' } })).toEqual(noUser);
  });

  test('a server lists all teams of the project, or those of one user', async () => {
    const [one, two] = [await scene.team(ada), await scene.team()];
    const all = await list(asServer);
    expect(all).toEqual({ status: 200, body: { items: [serverTeam(), serverTeam()], is_paginated: false } });
    expect((await ids(asServer)).sort()).toEqual([one, two].sort());
    expect(await ids({ ...asServer, query: { user_id: ada.id } })).toEqual([one]);
    expect(await ids({ ...asServer, ...as(ada), query: { user_id: 'me' } })).toEqual([one]);
    expect(await ids({ level: 'admin', query: { user_id: bob.id } })).toEqual([]);
    expect(await ids({ ...asServer, query: { user_id: randomUUID() } })).toEqual([]);
    expect(await list({ ...asServer, query: { user_id: 'me' } })).toEqual(noUser);
  });

  test('control 92: teams of another project are not listed', async () => {
    const other = await openScene(server);
    await other.team();
    expect(await ids(asServer)).toEqual([]);
  });

  test.each<[Record<string, string>]>([[{ limit: '1' }], [{ user_id: 'ada' }]])('%o does not fit', async query => {
    expect(await list({ ...asServer, query })).toEqual(expect.objectContaining({ code: 'SCHEMA_ERROR' }));
  });
});

describe('one team', () => {
  const read = (team_id: string, options: Parameters<Scene['call']>[1]) =>
    scene.call('GET /teams/{team_id}', { ...options, params: { team_id } });
  const update = (team_id: string, options: Parameters<Scene['call']>[1]) =>
    scene.call('PATCH /teams/{team_id}', { body: {}, ...options, params: { team_id } });
  const remove = (team_id: string, options: Parameters<Scene['call']>[1]) =>
    scene.call('DELETE /teams/{team_id}', { ...options, params: { team_id } });

  test('control 91: a client reads a team as a member, and a server every team', async () => {
    const team = await scene.filledTeam();
    const seen = { status: 200, body: clientTeam };
    expect(await read(team.id, as(team.creator))).toEqual(seen);
    expect(await read(team.id, as(team.powerless))).toEqual(seen);
    expect(await read(team.id.toUpperCase(), as(team.member))).toEqual(seen);
    expect(await read(team.id, asServer)).toEqual({ status: 200, body: serverTeam() });
    expect(await read(team.id, { level: 'admin' })).toEqual({ status: 200, body: serverTeam() });
    expect(await read(team.id, as(ada))).toEqual(notIn(team.id, ada));
    expect(await read(team.id, {})).toEqual(signedOut);
  });

  test('control 92: a team of another project gets the answer of an unknown team', async () => {
    const foreign = await (await openScene(server)).team();
    for (const id of [foreign, randomUUID()]) {
      expect(await read(id, as(ada))).toEqual(notIn(id, ada));
      expect(await read(id, asServer)).toEqual(noTeam(id));
      expect(await update(id, as(ada))).toEqual(notIn(id, ada));
      expect(await update(id, asServer)).toEqual(noTeam(id));
      expect(await remove(id, as(ada))).toEqual(notIn(id, ada));
      expect(await remove(id, asServer)).toEqual(noTeam(id));
    }
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('control 91: a client changes a team with $update_team, and a server every team', async () => {
    const team = await scene.filledTeam();
    expect(await update(team.id, as(team.creator))).toEqual({ status: 200, body: clientTeam });
    expect(await update(team.id, as(team.member))).toEqual(mayNot(team.id, team.member, '$update_team'));
    expect(await update(team.id, as(team.powerless))).toEqual(mayNot(team.id, team.powerless, '$update_team'));
    expect(await update(team.id, as(ada))).toEqual(notIn(team.id, ada));
    expect(await update(team.id, {})).toEqual(signedOut);
    await scene.may(team.id, team.powerless, ['$update_team']);
    expect(await update(team.id, as(team.powerless))).toEqual({ status: 200, body: clientTeam });
    expect(await update(team.id, asServer)).toEqual({ status: 200, body: serverTeam() });
  });

  test('a client update changes the sent fields and keeps all others', async () => {
    const fields = { profile_image_url: link, client_metadata: { a: 1 }, server_metadata: 's' };
    const id = await scene.team(ada, { ...fields, client_read_only_metadata: 'r' });
    const seen = { ...clientTeam, profile_image_url: link, client_metadata: { a: 1 }, client_read_only_metadata: 'r' };
    const steps = [
      {},
      { display_name: '' },
      { profile_image_url: image },
      { client_metadata: null },
      { client_metadata: 0 },
    ];
    let expected: object = seen;
    for (const step of steps) {
      expected = { ...expected, ...step };
      expect(await update(id, { ...as(ada), body: step })).toEqual({ status: 200, body: expected });
    }
    const whole = { ...serverTeam(), ...expected, server_metadata: 's' };
    expect(await read(id, asServer)).toEqual({ status: 200, body: whole });
  });

  test('a server can change every field, and null clears a value', async () => {
    const id = await scene.team();
    const fields = {
      display_name: 'Looms',
      profile_image_url: 'ftp://example.com/a',
      client_metadata: [1],
      client_read_only_metadata: { x: null },
      server_metadata: false,
    };
    expect(await update(id, { ...asServer, body: fields })).toEqual({
      status: 200,
      body: { ...serverTeam(), ...fields },
    });
    const cleared = Object.fromEntries(Object.keys(fields).map(key => [key, null]));
    const body = { ...cleared, display_name: '' };
    expect(await update(id, { ...asServer, body })).toEqual({
      status: 200,
      body: { ...serverTeam(), display_name: '' },
    });
  });

  test('every update is published in the server view', async () => {
    const team = await scene.filledTeam();
    await scene.publishedEvents();
    await update(team.id, { ...as(team.creator), body: { display_name: 'Looms' } });
    await update(team.id, { ...as(team.member), body: { display_name: 'Nothing' } });
    const data = { ...serverTeam(), display_name: 'Looms' };
    expect(await scene.publishedEvents()).toEqual([{ type: 'team.updated', data }]);
  });

  test('the image is validated before the permission is checked', async () => {
    const team = await scene.filledTeam();
    const body = { profile_image_url: link };
    expect(await update(team.id, { ...as(team.member), body })).toEqual(sentence(400));
    expect(await update(team.id, { body })).toEqual(sentence(400));
    expect(await update(team.id, { ...as(team.creator), body: { profile_image_url: null } })).toEqual({
      status: 200,
      body: clientTeam,
    });
  });

  test.each([
    ['no body', undefined],
    ['a name that is null', { display_name: null }],
    ['control 90: a creator', { creator_user_id: 'me' }],
    ['control 89: client read-only metadata', { client_read_only_metadata: 1 }],
    ['control 89: server metadata', { server_metadata: 1 }],
  ])('%s is refused at client level', async (_, body) => {
    const id = await scene.team(ada);
    expect(await update(id, { ...as(ada), body })).toEqual(expect.objectContaining({ code: 'SCHEMA_ERROR' }));
  });

  test('control 91: a client deletes a team with $delete_team, and a server every team', async () => {
    const team = await scene.filledTeam();
    expect(await remove(team.id, as(team.member))).toEqual(mayNot(team.id, team.member, '$delete_team'));
    expect(await remove(team.id, as(ada))).toEqual(notIn(team.id, ada));
    expect(await remove(team.id, {})).toEqual(signedOut);
    expect(await remove(team.id, as(team.creator))).toEqual(success);
    expect(await remove(team.id, as(team.creator))).toEqual(notIn(team.id, team.creator));
    expect(await remove(team.id, asServer)).toEqual(noTeam(team.id));
    expect(await remove(await scene.team(ada), asServer)).toEqual(success);
  });

  test('deleting a team deletes its memberships and selections, and publishes only team.deleted', async () => {
    const team = await scene.filledTeam();
    const select = { ...asServer, params: { user_id: team.member.id }, body: { selected_team_id: team.id } };
    expect((await scene.call('PATCH /users/{user_id}', select)).status).toBe(200);
    await scene.publishedEvents();
    expect(await remove(team.id, { ...as(team.creator), body: { anything: true } })).toEqual(success);
    expect(await scene.publishedEvents()).toEqual([{ type: 'team.deleted', data: { id: team.id } }]);
    const me = await scene.call('GET /users/me', as(team.member));
    expect(me).toEqual({ status: 200, body: expect.objectContaining({ selected_team_id: null, selected_team: null }) });
    const query = { user_id: team.member.id };
    const left = await scene.call('GET /team-member-profiles', { ...asServer, query });
    expect(left).toEqual({ status: 200, body: { items: [], is_paginated: false } });
  });

  test('a team with thousands of members is deleted by statements of about a thousand members', async () => {
    const team = await scene.filledTeam();
    const { id: projectId } = scene.project;
    await server.deps.db.query(sql`
      with new_user as (
        insert into users (project_id, id, signed_up_at_millis, search)
        select ${projectId}, gen_random_uuid(), i, i::text from generate_series(1, 2500) i returning id
      )
      insert into team_memberships (project_id, team_id, user_id, created_at_millis)
      select ${projectId}, ${team.id}, id, 0 from new_user
    `);
    const select = { ...asServer, params: { user_id: team.member.id }, body: { selected_team_id: team.id } };
    await scene.call('PATCH /users/{user_id}', select);
    await scene.publishedEvents();
    await limitDeletedRows(server.connection, 'team_memberships', 1_001);
    expect(await remove(team.id, as(team.creator))).toEqual(success);
    expect(await scene.publishedEvents()).toEqual([{ type: 'team.deleted', data: { id: team.id } }]);
    const left = await server.deps.db.query(sql`
      select user_id from team_memberships where project_id = ${projectId} and team_id = ${team.id}
    `);
    expect(left).toEqual([]);
    const me = await scene.call('GET /users/me', as(team.member));
    expect(me).toEqual({ status: 200, body: expect.objectContaining({ selected_team_id: null }) });
  });
});

test('concurrent lists of one user are read one after the other, and too many are refused', async () => {
  const list = () => scene.call('GET /teams', { ...as(ada), query: { user_id: 'me' } });
  const answers: unknown[] = [];
  const lists = await server.deps.db.begin(async tx => {
    await tx.query(sql`lock table team_memberships in access exclusive mode`);
    const started = Array.from({ length: 110 }, async () => answers.push(await list()));
    await expect.poll(() => answers.length, { timeout: 10_000 }).toBe(9);
    const waiting = sql`select pid from pg_locks where relation = 'team_memberships'::regclass and not granted`;
    await expect.poll(() => tx.query(waiting), { timeout: 10_000 }).not.toEqual([]);
    expect(await tx.query(waiting)).toHaveLength(1);
    return started;
  });
  await Promise.all(lists);
  expect(answers.slice(0, 9)).toEqual(new Array(9).fill(sentence(429)));
  expect(answers.slice(9)).toEqual(new Array(101).fill({ status: 200, body: { items: [], is_paginated: false } }));
});
