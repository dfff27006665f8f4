import { randomUUID } from 'node:crypto';
import { displayNameMaxLength, profileImageMaxLength } from '@tessera/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { as, asServer, openScene, type Person, type Scene, type TeamFilled } from '../scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let team: TeamFilled;
let stranger: Person;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  team = await scene.filledTeam();
  stranger = await scene.person({ display_name: 'Stranger', profile_image_url: 'https://example.com/s.png' });
  await scene.publishedEvents();
});

type Options = Parameters<Scene['call']>[1];

const list = (options: Options) => scene.call('GET /team-member-profiles', options);
const read = (team_id: string, user_id: string, options: Options) =>
  scene.call('GET /team-member-profiles/{team_id}/{user_id}', { ...options, params: { team_id, user_id } });
const update = (team_id: string, user_id: string, options: Options) =>
  scene.call('PATCH /team-member-profiles/{team_id}/{user_id}', { body: {}, ...options, params: { team_id, user_id } });

const noUser = { status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' };
const noSuchUser = { status: 404, code: 'USER_NOT_FOUND' };
const sentence = (status: number) => ({ status, says: 'a sentence' });
const notIn = (team_id: string, user_id: string) => ({
  status: 404,
  code: 'TEAM_MEMBERSHIP_NOT_FOUND',
  details: { team_id, user_id },
});
const mayNotRead = ({ id: user_id }: Person) => ({
  status: 401,
  code: 'TEAM_PERMISSION_REQUIRED',
  details: { team_id: team.id, user_id, permission_id: '$read_members' },
});

/** The client view of the profile of a user without a name. */
const plain = ({ id: user_id }: Person, team_id = team.id) => ({
  team_id,
  user_id,
  display_name: null,
  profile_image_url: null,
});
const listed = (items: object[]) => ({ status: 200, body: { items, is_paginated: false } });

/** The server view of a profile, with the user object of the users endpoints. */
async function whole(person: Person, fields: object = {}) {
  const user = await scene.call('GET /users/{user_id}', { ...asServer, params: { user_id: person.id } });
  return { ...plain(person), ...fields, user: 'body' in user ? user.body : undefined };
}

describe('listing profiles', () => {
  test('returns the profiles in joining order, in the view of the level', async () => {
    server.clock.advance(1);
    await scene.join(team.id, stranger);
    const outcome = await list({ ...as(team.member), query: { team_id: team.id } });
    const items = outcome.status === 200 && 'body' in outcome ? (outcome.body as { items: object[] }).items : [];
    expect(items).toHaveLength(4);
    expect(items.at(-1)).toEqual({
      ...plain(stranger),
      display_name: 'Stranger',
      profile_image_url: 'https://example.com/s.png',
    });
    for (const person of [team.creator, team.member, team.powerless]) expect(items).toContainEqual(plain(person));
  });

  test('returns the full user with each profile at server level', async () => {
    const query = { team_id: team.id, user_id: team.member.id };
    expect(await list({ ...asServer, query })).toEqual(listed([await whole(team.member)]));
    const all = await list({ ...asServer, query: { team_id: team.id.toUpperCase() } });
    expect(all).toEqual(listed([expect.anything(), expect.anything(), expect.anything()]));
    for (const person of [team.creator, team.member, team.powerless]) {
      expect(all).toEqual(listed(expect.arrayContaining([await whole(person)])));
    }
  });

  test('shows the sign-up time as last activity of a user who was never active, not the joining time', async () => {
    server.clock.advance(60_000);
    await scene.join(team.id, stranger);
    const query = { team_id: team.id, user_id: stranger.id };
    const user = { ...asServer, params: { user_id: stranger.id } };
    const own = (await scene.call('GET /users/{user_id}', user)) as unknown as { body: object };
    expect(await list({ ...asServer, query })).toEqual(listed([expect.objectContaining({ user: own.body })]));
  });

  test('filters by team, by user or by both at server level', async () => {
    const other = await scene.team(team.member);
    const ids = async (query: Record<string, string>, options: Options = asServer) => {
      const { body } = (await list({ ...options, query })) as unknown as {
        body: { items: { team_id: string; user_id: string }[] };
      };
      return body.items.map(({ team_id, user_id }) => `${team_id} ${user_id}`).sort();
    };
    const inTeam = [team.creator, team.member, team.powerless].map(({ id }) => `${team.id} ${id}`);
    const inOther = `${other} ${team.member.id}`;
    expect(await ids({})).toEqual([...inTeam, inOther].sort());
    expect(await ids({ team_id: other })).toEqual([inOther]);
    expect(await ids({ user_id: team.member.id })).toEqual([`${team.id} ${team.member.id}`, inOther].sort());
    expect(await ids({ user_id: 'me' }, { ...asServer, ...as(team.creator) })).toEqual([
      `${team.id} ${team.creator.id}`,
    ]);
    expect(await ids({ team_id: other, user_id: team.creator.id })).toEqual([]);
    expect(await ids({ team_id: other }, { level: 'admin' })).toEqual([inOther]);
  });

  test('refuses an unknown team or user in a filter at server level', async () => {
    const foreign = await (await openScene(server)).filledTeam();
    for (const id of [randomUUID(), foreign.id]) {
      const refused = { status: 404, code: 'TEAM_NOT_FOUND', details: { team_id: id } };
      expect(await list({ ...asServer, query: { team_id: id } })).toEqual(refused);
      expect(await list({ ...asServer, query: { team_id: id, user_id: randomUUID() } })).toEqual(refused);
    }
    for (const id of [randomUUID(), foreign.member.id]) {
      expect(await list({ ...asServer, query: { user_id: id } })).toEqual(noSuchUser);
    }
    expect(await list({ ...asServer, query: { user_id: 'me' } })).toEqual(noUser);
  });

  test('control 91: a client can list the profiles of its teams with $read_members, and its own profile always', async () => {
    const team_id = team.id;
    expect(await list({ query: { team_id } })).toEqual(noUser);
    expect(await list({})).toEqual(noUser);
    expect(await list(as(team.member))).toEqual(sentence(400));
    expect(await list({ ...as(team.member), query: { user_id: 'me' } })).toEqual(sentence(400));
    expect(await list({ ...as(stranger), query: { team_id } })).toEqual(notIn(team_id, stranger.id));
    expect(await list({ ...as(stranger), query: { team_id, user_id: 'me' } })).toEqual(notIn(team_id, stranger.id));
    expect(await list({ ...as(team.powerless), query: { team_id } })).toEqual(mayNotRead(team.powerless));
    expect(await list({ ...as(team.powerless), query: { team_id, user_id: team.member.id } })).toEqual(
      mayNotRead(team.powerless),
    );
    for (const user_id of ['me', team.powerless.id.toUpperCase()]) {
      expect(await list({ ...as(team.powerless), query: { team_id, user_id } })).toEqual(
        listed([plain(team.powerless)]),
      );
    }
    expect(await list({ ...as(team.member), query: { team_id, user_id: team.creator.id } })).toEqual(
      listed([plain(team.creator)]),
    );
    expect(await list({ ...as(team.member), query: { team_id, user_id: stranger.id } })).toEqual(listed([]));
    const missing = randomUUID();
    expect(await list({ ...as(team.member), query: { team_id: missing } })).toEqual(notIn(missing, team.member.id));
  });
});

describe('reading a profile', () => {
  test('control 91: a member reads their own profile, and other profiles with $read_members', async () => {
    const seen = (person: Person) => ({ status: 200, body: plain(person) });
    expect(await read(team.id, 'me', as(team.powerless))).toEqual(seen(team.powerless));
    expect(await read(team.id, team.powerless.id.toUpperCase(), as(team.powerless))).toEqual(seen(team.powerless));
    expect(await read(team.id, team.creator.id, as(team.member))).toEqual(seen(team.creator));
    expect(await read(team.id, team.creator.id, as(team.powerless))).toEqual(mayNotRead(team.powerless));
    expect(await read(team.id, team.creator.id, as(stranger))).toEqual(notIn(team.id, stranger.id));
    expect(await read(team.id, 'me', as(stranger))).toEqual(notIn(team.id, stranger.id));
    expect(await read(team.id, team.creator.id, {})).toEqual(noUser);
    expect(await read(team.id, 'me', {})).toEqual(noUser);
    for (const options of [asServer, { level: 'admin' } as const]) {
      expect(await read(team.id, team.member.id, options)).toEqual({ status: 200, body: await whole(team.member) });
    }
    expect(await read(team.id, 'me', { ...asServer, ...as(team.member) })).toEqual({
      status: 200,
      body: await whole(team.member),
    });
  });

  test('an unknown user, a non-member and an unknown team are refused', async () => {
    for (const options of [asServer, as(team.member)]) {
      expect(await read(team.id, stranger.id, options)).toEqual(notIn(team.id, stranger.id));
      expect(await read(team.id, randomUUID(), options)).toEqual(noSuchUser);
    }
    const missing = randomUUID();
    expect(await read(missing, stranger.id, asServer)).toEqual(notIn(missing, stranger.id));
    expect(await read(missing, stranger.id, as(team.member))).toEqual(notIn(missing, team.member.id));
  });

  test('control 92: a team or user of another project is refused', async () => {
    const foreign = await (await openScene(server)).filledTeam();
    expect(await read(foreign.id, foreign.member.id, asServer)).toEqual(noSuchUser);
    expect(await read(foreign.id, team.member.id, asServer)).toEqual(notIn(foreign.id, team.member.id));
    expect(await read(foreign.id, foreign.member.id, as(team.member))).toEqual(notIn(foreign.id, team.member.id));
  });
});

describe('changing a profile', () => {
  const image = 'https://example.com/in-team.png';

  test('overrides are shown in this team only', async () => {
    await scene.join(team.id, stranger);
    const body = { display_name: 'The Stranger', profile_image_url: image };
    expect(await update(team.id, 'me', { ...as(stranger), body })).toEqual({
      status: 200,
      body: { ...plain(stranger), ...body },
    });
    const other = await scene.team(stranger);
    expect(await read(other, 'me', as(stranger))).toEqual({
      status: 200,
      body: {
        ...plain(stranger, other),
        display_name: 'Stranger',
        profile_image_url: 'https://example.com/s.png',
      },
    });
    expect(await read(team.id, stranger.id, asServer)).toEqual({ status: 200, body: await whole(stranger, body) });
  });

  test('the name and image of the user are shown where the profile has no override', async () => {
    await scene.join(team.id, stranger);
    const seen = async () => {
      const { body } = (await read(team.id, 'me', as(stranger))) as unknown as {
        body: { display_name: string; profile_image_url: string };
      };
      return [body.display_name, body.profile_image_url];
    };
    const rename = (fields: object) =>
      scene.call('PATCH /users/{user_id}', { ...asServer, params: { user_id: stranger.id }, body: fields });
    await rename({ display_name: 'Renamed', profile_image_url: 'https://example.com/new.png' });
    expect(await seen()).toEqual(['Renamed', 'https://example.com/new.png']);
    await update(team.id, 'me', { ...as(stranger), body: { display_name: '' } });
    expect(await seen()).toEqual(['', 'https://example.com/new.png']);
    await update(team.id, 'me', { ...as(stranger), body: { profile_image_url: image } });
    await rename({ display_name: 'Again', profile_image_url: null });
    expect(await seen()).toEqual(['', image]);
    await update(team.id, 'me', { ...as(stranger), body: { profile_image_url: null } });
    expect(await seen()).toEqual(['', null]);
  });

  test('an empty body changes nothing', async () => {
    await update(team.id, 'me', { ...as(team.member), body: { display_name: 'Kept', profile_image_url: image } });
    const kept = { status: 200, body: { ...plain(team.member), display_name: 'Kept', profile_image_url: image } };
    expect(await update(team.id, 'me', as(team.member))).toEqual(kept);
  });

  test('control 91: a client changes only its own profile, and a server every profile', async () => {
    await scene.may(team.id, team.member, ['team_admin']);
    expect(await update(team.id, team.creator.id, as(team.member))).toEqual(sentence(403));
    expect(await update(team.id, team.creator.id, as(stranger))).toEqual(sentence(403));
    expect(await update(team.id, randomUUID(), as(team.member))).toEqual(sentence(403));
    expect(await update(team.id, team.creator.id, {})).toEqual(noUser);
    expect(await update(team.id, 'me', {})).toEqual(noUser);
    expect(await update(team.id, 'me', as(stranger))).toEqual(notIn(team.id, stranger.id));
    const body = { display_name: 'Set' };
    for (const options of [asServer, { level: 'admin' } as const]) {
      expect(await update(team.id, team.creator.id, { ...options, body })).toEqual({
        status: 200,
        body: await whole(team.creator, body),
      });
    }
    expect(await update(team.id, stranger.id, asServer)).toEqual(notIn(team.id, stranger.id));
    expect(await update(team.id, randomUUID(), asServer)).toEqual(noSuchUser);
    const foreign = await (await openScene(server)).filledTeam();
    expect(await update(foreign.id, foreign.member.id, asServer)).toEqual(noSuchUser);
  });

  test('no webhook is sent', async () => {
    await update(team.id, 'me', { ...as(team.member), body: { display_name: 'x', profile_image_url: null } });
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test.each([
    ['no body', undefined],
    ['a name that is null', { display_name: null }],
    ['a name that is too long', { display_name: 'x'.repeat(displayNameMaxLength + 1) }],
    ['an empty image', { profile_image_url: '' }],
    ['an image that is too long', { profile_image_url: `https://example.com/${'x'.repeat(profileImageMaxLength)}` }],
    ['control 90: another user', { user_id: randomUUID() }],
    ['control 90: the user', { user: {} }],
  ])('%s does not fit', async (_, body) => {
    for (const options of [asServer, as(team.member)]) {
      const outcome = await update(team.id, team.member.id, { ...options, body });
      expect(outcome).toEqual(expect.objectContaining({ status: 400, code: 'SCHEMA_ERROR' }));
    }
  });
});
