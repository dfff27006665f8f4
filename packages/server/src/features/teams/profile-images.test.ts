import { profileImageMaxLength, type Route } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { as, asServer, openScene, type Scene, type TeamFilled } from './scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let team: TeamFilled;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  team = await scene.filledTeam();
});

/** Every endpoint that writes an image, by caller. It accepts `any` URL, or only a data URL of an `image`. */
const writers: Record<string, { accepts: 'any' | 'image'; write: (fields: object) => [Route, CallOptions] }> = {
  'a user by themselves': {
    accepts: 'image',
    write: body => ['PATCH /users/me', { ...as(team.creator), body }],
  },
  'a user by a server': {
    accepts: 'any',
    write: body => ['PATCH /users/{user_id}', { ...asServer, params: { user_id: team.creator.id }, body }],
  },
  'the signed-in user by a server': {
    accepts: 'any',
    write: body => ['PATCH /users/me', { ...asServer, ...as(team.creator), body }],
  },
  'a new user': { accepts: 'any', write: body => ['POST /users', { ...asServer, body }] },
  'a team by a member': {
    accepts: 'image',
    write: body => ['PATCH /teams/{team_id}', { ...as(team.creator), params: { team_id: team.id }, body }],
  },
  'a team by a server': {
    accepts: 'any',
    write: body => ['PATCH /teams/{team_id}', { ...asServer, params: { team_id: team.id }, body }],
  },
  'a new team of a client': {
    accepts: 'image',
    write: body => ['POST /teams', { ...as(team.creator), body: { display_name: 'New', ...body } }],
  },
  'a new team of a server': {
    accepts: 'any',
    write: body => ['POST /teams', { ...asServer, body: { display_name: 'New', ...body } }],
  },
  'a member by themselves': {
    accepts: 'any',
    write: body => [
      'PATCH /team-member-profiles/{team_id}/{user_id}',
      { ...as(team.creator), params: { team_id: team.id, user_id: 'me' }, body },
    ],
  },
  'a member by a server': {
    accepts: 'any',
    write: body => [
      'PATCH /team-member-profiles/{team_id}/{user_id}',
      { ...asServer, params: { team_id: team.id, user_id: team.creator.id }, body },
    ],
  },
};

const imageOf = (length: number) => 'data:image/png;base64,'.padEnd(length, 'A');
const images = ['png', 'jpg', 'jpeg', 'gif', 'bmp', 'webp'].map(type => `data:image/${type};base64,iVBORw0KGgo=`);
const otherUrls = [
  'https://example.com/a.png?size=1#x',
  'http://localhost/a',
  'ftp://example.com/a',
  'data:text/plain,hi',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'data:image/png;base64,',
  'data:image/png;base64,%41',
  'data:image/PNG;base64,iVBORw0KGgo=',
  'data:image/png,iVBORw0KGgo',
  'https://example.com/'.padEnd(profileImageMaxLength, 'a'),
];
const noUrls = [
  '',
  'a.png',
  '/a.png',
  '//example.com/a.png',
  'https://example.com/a b',
  ' https://example.com/a',
  5,
  true,
  ['https://example.com/a'],
  {},
  imageOf(profileImageMaxLength + 1),
];
const invalid = {
  status: 400,
  code: 'SCHEMA_ERROR',
  details: { message: expect.stringContaining('profile_image_url') },
};
const named = (value: unknown) => JSON.stringify(value).slice(0, 50);

describe.each(Object.entries(writers))('the image of %s', (_, { accepts, write }) => {
  async function put(profile_image_url: unknown) {
    const [route, options] = write({ profile_image_url });
    return server.call(route, { project: scene.project, ...options });
  }

  test('of 4 KB or less is stored as it was sent, and null removes it', async () => {
    for (const image of [...images, null]) {
      const { json } = await put(image);
      expect((json as { profile_image_url: unknown }).profile_image_url === image, named(image)).toBe(true);
    }
  });

  test(accepts === 'any' ? 'may be any URL' : 'may not be a link, nor anything else that is not an image', async () => {
    for (const url of otherUrls) {
      const answer = await put(url);
      if (accepts === 'any') expect(answer.json, url).toMatchObject({ profile_image_url: url });
      else expect(outcome(answer), url).toEqual({ status: 400, says: 'a sentence' });
    }
  });

  test('is limited to 1,000,000 characters', async () => {
    for (const value of noUrls) expect(outcome(await put(value)), named(value)).toEqual(invalid);
  });
});

test('an update without the image field keeps the image', async () => {
  const link = 'https://example.com/a.png';
  for (const place of ['a user by a server', 'a team by a server', 'a member by a server']) {
    const call = async (body: object) => {
      const [route, options] = writers[place]?.write(body) ?? ['GET /users/me', {}];
      return (await server.call(route, { project: scene.project, ...options })).json;
    };
    await call({ profile_image_url: link });
    expect(await call({ display_name: 'Renamed' }), place).toMatchObject({ profile_image_url: link });
  }
});

test('a missing image is null in every answer', async () => {
  const params = { team_id: team.id, user_id: team.creator.id };
  const views = [
    await scene.call('GET /users/me', as(team.creator)),
    await scene.call('GET /users/{user_id}', { ...asServer, params }),
    await scene.call('GET /teams/{team_id}', { ...as(team.creator), params }),
    await scene.call('GET /teams/{team_id}', { ...asServer, params }),
    await scene.call('GET /team-member-profiles/{team_id}/{user_id}', { ...as(team.creator), params }),
    await scene.call('GET /team-member-profiles/{team_id}/{user_id}', { ...asServer, params }),
  ];
  for (const view of views) expect(view).toMatchObject({ status: 200, body: { profile_image_url: null } });
});
