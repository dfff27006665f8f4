import { type AccessLevel, metadataMaxBytes } from '@tessera/protocol';
import { describe, expect, test } from 'vitest';
import {
  type Asker,
  assertHolds,
  assertTeamFields,
  creatorOf,
  listedUser,
  type TeamCreation,
  type TeamFields,
  teamNameFor,
} from './rules.ts';

const ada = '3241a285-8329-4d69-8f3d-316e08cf140c';
const bob = '0f2f8f4e-0a0e-4d8e-9a3c-5a4f1f0f9d11';
const teamId = '7c1b2a90-5c5e-4e0f-8f0a-0d3d6f7b8a21';
const nobody: Asker = { level: 'client', userId: null };
const client: Asker = { level: 'client', userId: ada };
const server: Asker = { level: 'server', userId: null };
const serverAsAda: Asker = { level: 'server', userId: ada };
const admin: Asker = { level: 'admin', userId: null };

/** What a decision comes to: its value, a code, or the status of a sentence. */
function decided(decide: () => unknown): unknown {
  try {
    return decide();
  } catch (error) {
    const { errorCode, status } = error as { errorCode?: string; status?: number };
    return errorCode ?? `txt ${status}`;
  }
}

describe('whose teams a list shows', () => {
  test.each<[string, string | undefined, Asker, unknown]>([
    ['a client its own', ada, client, ada],
    ['a client nobody else’s', bob, client, 'txt 403'],
    ['a client must say whose', undefined, client, 'txt 403'],
    ['signed out', ada, nobody, 'CANNOT_GET_OWN_USER_WITHOUT_USER'],
    ['signed out and unsaid', undefined, nobody, 'CANNOT_GET_OWN_USER_WITHOUT_USER'],
    ['a server all', undefined, server, undefined],
    ['a server with a token all the same', undefined, serverAsAda, undefined],
    ['a server anybody’s', bob, serverAsAda, bob],
    ['an admin anybody’s', bob, admin, bob],
  ])('%s', (_, asked, asker, expected) => {
    expect(decided(() => listedUser(asked, asker))).toBe(expected);
  });
});

const imagesUrl = 'https://auth.example.com/api/v1/images/internal/';

describe('who becomes the creator of a team', () => {
  const image = 'data:image/png;base64,aaaa';
  const link = 'https://example.com/a.png';
  const on = { clientTeamCreationEnabled: true };
  const off = { clientTeamCreationEnabled: false };
  const request = (given: { image?: string; creator?: string; adds?: boolean }): TeamCreation => ({
    fields: { displayName: 'Engines', profileImageUrl: given.image },
    creatorUserId: given.creator,
    addsCurrentUser: given.adds === true,
    imagesUrl,
  });

  test.each<[string, Parameters<typeof request>[0], Asker, typeof on, unknown]>([
    ['a client always itself', {}, client, on, ada],
    ['a client that names itself', { creator: ada }, client, on, ada],
    ['a client in the older way', { adds: true }, client, on, ada],
    ['a client with an image', { image }, client, on, ada],
    ['a client may name nobody else', { creator: bob }, client, on, 'txt 403'],
    ['a client may not link an image', { image: link }, client, on, 'txt 400'],
    ['the image comes before the creator', { image: link, creator: bob }, client, on, 'txt 400'],
    ['the switch comes before the image', { image: link }, client, off, 'txt 403'],
    ['signing in comes before the switch', { image: link, creator: bob }, nobody, off, 'USER_AUTHENTICATION_REQUIRED'],
    ['both ways at once', { creator: ada, adds: true }, client, on, 'txt 400'],
    ['somebody else comes before both ways', { creator: bob, adds: true }, client, on, 'txt 403'],
    ['a server nobody', {}, server, off, null],
    ['a server nobody, also with a token', {}, serverAsAda, off, null],
    ['a server whom it names', { creator: bob }, serverAsAda, off, bob],
    ['a server in the older way', { adds: true }, serverAsAda, off, ada],
    ['a server in the older way without a token', { adds: true }, server, off, 'txt 401'],
    ['a server both ways at once', { creator: bob, adds: true }, server, on, 'txt 400'],
    ['a server with any image', { image: link }, server, off, null],
    ['an admin like a server', { creator: bob, image: link }, admin, off, bob],
  ])('%s', (_, given, asker, config, expected) => {
    expect(decided(() => creatorOf(request(given), asker, config))).toBe(expected);
  });
});

describe('what may be written of a team', () => {
  const tooLarge = 'x'.repeat(metadataMaxBytes);
  test.each<[string, [TeamFields, AccessLevel], unknown]>([
    ['nothing', [{}, 'client'], undefined],
    ['an image that travels along', [{ profileImageUrl: 'data:image/webp;base64,aaaa' }, 'client'], undefined],
    [
      'a stored image of the project by a client',
      [{ profileImageUrl: `${imagesUrl}${'a'.repeat(64)}.webp` }, 'client'],
      undefined,
    ],
    [
      'another path below the stored images by a client',
      [{ profileImageUrl: `${imagesUrl}../${'a'.repeat(64)}.webp` }, 'client'],
      'txt 400',
    ],
    ['no image', [{ profileImageUrl: null }, 'client'], undefined],
    ['a link by a client', [{ profileImageUrl: 'https://example.com/a.png' }, 'client'], 'txt 400'],
    ['a drawing by a client', [{ profileImageUrl: 'data:image/svg+xml;base64,aaaa' }, 'client'], 'txt 400'],
    ['a link by a server', [{ profileImageUrl: 'https://example.com/a.png' }, 'server'], undefined],
    ['a link by an admin', [{ profileImageUrl: 'ftp://example.com/a' }, 'admin'], undefined],
    ['metadata of every kind', [{ clientMetadata: null, serverMetadata: [1] }, 'server'], undefined],
    ['control 89: metadata that is too large', [{ clientMetadata: tooLarge }, 'client'], 'txt 400'],
    ['control 89: in the read-only tier', [{ clientReadOnlyMetadata: tooLarge }, 'server'], 'txt 400'],
    ['control 89: in the server’s tier', [{ serverMetadata: tooLarge }, 'admin'], 'txt 400'],
  ])('%s', (_, given, expected) => {
    expect(decided(() => assertTeamFields(...given, imagesUrl))).toBe(expected);
  });
});

describe('the standard answers', () => {
  const membership = { teamId, userId: ada };
  const notIn = { team_id: teamId, user_id: ada };

  test.each<[string, readonly string[], Parameters<typeof assertHolds>[1]]>([
    ['a member without further needs', [], []],
    ['a member with what is needed', ['$update_team'], ['$update_team']],
    ['a member with more', ['$read_members', '$invite_members', 'x'], ['$read_members', '$invite_members']],
  ])('%s passes', (_, held, needed) => {
    expect(() => assertHolds(new Set(held), needed, membership)).not.toThrow();
  });

  test.each<[string, readonly string[] | null, Parameters<typeof assertHolds>[1], object]>([
    ['who is not in it', null, [], { errorCode: 'TEAM_MEMBERSHIP_NOT_FOUND', details: notIn }],
    ['whatever is needed', null, ['$update_team'], { errorCode: 'TEAM_MEMBERSHIP_NOT_FOUND', details: notIn }],
    [
      'a member without it',
      ['$delete_team'],
      ['$update_team'],
      { errorCode: 'TEAM_PERMISSION_REQUIRED', details: { ...notIn, permission_id: '$update_team' } },
    ],
    [
      'the first one missing is named',
      [],
      ['$read_members', '$invite_members'],
      { errorCode: 'TEAM_PERMISSION_REQUIRED', details: { ...notIn, permission_id: '$read_members' } },
    ],
    [
      'or the second',
      ['$read_members'],
      ['$read_members', '$invite_members'],
      { errorCode: 'TEAM_PERMISSION_REQUIRED', details: { ...notIn, permission_id: '$invite_members' } },
    ],
  ])('%s', (_, held, needed, expected) => {
    expect(() => assertHolds(held && new Set(held), needed, membership)).toThrow(expect.objectContaining(expected));
  });
});

test.each([
  ['Ada', 'ada@example.com', "Ada's Team"],
  ['Ada', null, "Ada's Team"],
  [null, 'ada@example.com', "ada@example.com's Team"],
  [null, null, 'Personal Team'],
])('the team of %s, %s is called %s', (displayName, primaryEmail, name) => {
  expect(teamNameFor({ displayName, primaryEmail })).toBe(name);
});
