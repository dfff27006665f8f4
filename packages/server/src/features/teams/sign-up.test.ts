import { anId } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { as, asServer, openScene, type Scene } from './scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer();
  scene = await openScene(server, { createTeamOnSignUp: true });
});
afterAll(() => server.close());

const unselected = { selected_team_id: null, selected_team: null };

describe('the team that is made at sign-up', () => {
  test.each([
    ['by name', { display_name: 'Ada', primary_email: 'ada@example.com' }, "Ada's Team"],
    ['by address', { primary_email: 'Bob@Example.com' }, "bob@example.com's Team"],
    ['an empty name is not used', { display_name: '', primary_email: 'eve@example.com' }, "eve@example.com's Team"],
    ['with neither', {}, 'Personal Team'],
    ['anonymous', { is_anonymous: true }, 'Personal Team'],
  ])('%s', async (_, fields, display_name) => {
    await scene.publishedEvents();
    const created = await scene.call('POST /users', { ...asServer, body: fields });
    const user = (created as unknown as { body: { id: string } }).body;
    const team = {
      id: anId,
      display_name,
      profile_image_url: null,
      client_metadata: null,
      client_read_only_metadata: null,
      server_metadata: null,
      created_at_millis: server.clock.now(),
    };
    expect(user).toEqual(expect.objectContaining(unselected));
    // The webhooks have this order, and the user object has no selected team yet.
    expect(await scene.publishedEvents()).toEqual([
      { type: 'team.created', data: team },
      { type: 'user.created', data: user },
    ]);
    const read = await scene.call('GET /users/{user_id}', { ...asServer, params: { user_id: user.id } });
    expect(read).toEqual({ status: 200, body: { ...user, selected_team_id: anId, selected_team: team } });
    const query = { user_id: user.id };
    expect(await scene.call('GET /teams', { ...asServer, query })).toEqual({
      status: 200,
      body: { items: [team], is_paginated: false },
    });
  });

  test('a user who signs up gets one, is its creator, and has all creator permissions', async () => {
    const { project } = scene;
    const { userId, accessToken, email } = await server.make.user({ project });
    const me = as({ id: userId, accessToken });
    const { body } = (await scene.call('GET /users/me', me)) as unknown as {
      body: { selected_team_id: string; selected_team: { display_name: string } };
    };
    expect(body.selected_team.display_name).toBe(`${email}'s Team`);
    const params = { team_id: body.selected_team_id };
    const renamed = await scene.call('PATCH /teams/{team_id}', { ...me, params, body: { display_name: 'Mine' } });
    expect(renamed).toEqual({ status: 200, body: expect.objectContaining({ display_name: 'Mine' }) });
    await scene.join(params.team_id, await scene.person());
    const left = await scene.call('DELETE /team-memberships/{team_id}/{user_id}', {
      ...me,
      params: { ...params, user_id: 'me' },
    });
    expect(left).toEqual({ status: 200, body: { success: true } });
    expect(await scene.call('GET /users/me', me)).toEqual({ status: 200, body: expect.objectContaining(unselected) });
  });

  test('is kept when its creator is deleted', async () => {
    const { id } = await scene.person({ display_name: 'Gone' });
    await scene.call('DELETE /users/{user_id}', { ...asServer, params: { user_id: id } });
    const all = await scene.call('GET /teams', asServer);
    expect(all).toEqual({
      status: 200,
      body: {
        items: expect.arrayContaining([expect.objectContaining({ display_name: "Gone's Team" })]),
        is_paginated: false,
      },
    });
  });

  test('a deleted default permission does not prevent a sign-up', async () => {
    const other = await openScene(server, { createTeamOnSignUp: true, teamCreatorDefaultPermissions: ['gone'] });
    const { id } = await other.person();
    const members = await other.call('GET /team-member-profiles', { ...asServer, query: { user_id: id } });
    expect(members).toEqual({ status: 200, body: { items: [expect.anything()], is_paginated: false } });
  });

  test('is not created when the setting is off', async () => {
    const other = await openScene(server);
    await other.person();
    expect(await other.call('GET /teams', asServer)).toEqual({ status: 200, body: { items: [], is_paginated: false } });
  });
});
