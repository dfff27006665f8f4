import { type AccessLevel, metadataMaxBytes } from '@tessera/protocol';
import { describe, expect, test } from 'vitest';
import {
  assertHolds,
  assertTeamFields,
  deriveTeamName,
  type Requester,
  resolveCreator,
  resolveListedUser,
  type TeamCreation,
  type TeamFields,
} from './rules.ts';

const ada = '3241a285-8329-4d69-8f3d-316e08cf140c';
const bob = '0f2f8f4e-0a0e-4d8e-9a3c-5a4f1f0f9d11';
const teamId = '7c1b2a90-5c5e-4e0f-8f0a-0d3d6f7b8a21';
const signedOutClient: Requester = { level: 'client', userId: null };
const client: Requester = { level: 'client', userId: ada };
const server: Requester = { level: 'server', userId: null };
const serverAsAda: Requester = { level: 'server', userId: ada };
const admin: Requester = { level: 'admin', userId: null };

/** The result of a decision: its value, an error code, or the status of a text error. */
function resultOf(decide: () => unknown): unknown {
  try {
    return decide();
  } catch (error) {
    const { errorCode, status } = error as { errorCode?: string; status?: number };
    return errorCode ?? `txt ${status}`;
  }
}

describe('the filter of a team list', () => {
  test.each<[string, string | undefined, Requester, unknown]>([
    ['a client lists the teams of its own user', ada, client, ada],
    ['a client that names another user is refused', bob, client, 'txt 403'],
    ['a client that names no user is refused', undefined, client, 'txt 403'],
    ['a signed-out client that names a user is refused', ada, signedOutClient, 'CANNOT_GET_OWN_USER_WITHOUT_USER'],
    [
      'a signed-out client that names no user is refused',
      undefined,
      signedOutClient,
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
    ],
    ['a server lists all teams', undefined, server, undefined],
    ['a server with the access token of a user lists all teams', undefined, serverAsAda, undefined],
    ['a server lists the teams of a named user', bob, serverAsAda, bob],
    ['an admin lists the teams of a named user', bob, admin, bob],
  ])('%s', (_, asked, requester, expected) => {
    expect(resultOf(() => resolveListedUser(asked, requester))).toBe(expected);
  });
});

const imagesUrl = 'https://auth.example.com/api/v1/images/internal/';

describe('the creator of a new team', () => {
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

  test.each<[string, Parameters<typeof request>[0], Requester, typeof on, unknown]>([
    ['is the signed-in user of a client', {}, client, on, ada],
    ['is the signed-in user of a client that names itself', { creator: ada }, client, on, ada],
    ['is the signed-in user of a client that sends add_current_user', { adds: true }, client, on, ada],
    ['is the signed-in user of a client that sends an image', { image }, client, on, ada],
    ['cannot be another user for a client', { creator: bob }, client, on, 'txt 403'],
    ['cannot be set by a client with a linked image', { image: link }, client, on, 'txt 400'],
    ['is checked after the image', { image: link, creator: bob }, client, on, 'txt 400'],
    ['is checked after the setting, as the image is', { image: link }, client, off, 'txt 403'],
    [
      'is checked after the signed-in user',
      { image: link, creator: bob },
      signedOutClient,
      off,
      'USER_AUTHENTICATION_REQUIRED',
    ],
    ['cannot be named in both ways by a client', { creator: ada, adds: true }, client, on, 'txt 400'],
    ['is refused as another user before both ways are refused', { creator: bob, adds: true }, client, on, 'txt 403'],
    ['is missing by default for a server', {}, server, off, null],
    ['is missing by default for a server with an access token', {}, serverAsAda, off, null],
    ['is the user that a server names', { creator: bob }, serverAsAda, off, bob],
    ['is the user of the access token for a server that sends add_current_user', { adds: true }, serverAsAda, off, ada],
    ['cannot be add_current_user for a server without an access token', { adds: true }, server, off, 'txt 401'],
    ['cannot be named in both ways by a server', { creator: bob, adds: true }, server, on, 'txt 400'],
    ['is missing by default for a server with a linked image', { image: link }, server, off, null],
    ['is the user that an admin names, with a linked image', { creator: bob, image: link }, admin, off, bob],
  ])('%s', (_, given, requester, config, expected) => {
    expect(resultOf(() => resolveCreator(request(given), requester, config))).toBe(expected);
  });
});

describe('the fields of a team that a client can write', () => {
  const tooLarge = 'x'.repeat(metadataMaxBytes);
  test.each<[string, [TeamFields, AccessLevel], unknown]>([
    ['an empty update is accepted', [{}, 'client'], undefined],
    [
      'a data URL of an image is accepted from a client',
      [{ profileImageUrl: 'data:image/webp;base64,aaaa' }, 'client'],
      undefined,
    ],
    [
      'the URL of a stored image is accepted from a client',
      [{ profileImageUrl: `${imagesUrl}${'a'.repeat(64)}.webp` }, 'client'],
      undefined,
    ],
    [
      'another path below the stored images is refused for a client',
      [{ profileImageUrl: `${imagesUrl}../${'a'.repeat(64)}.webp` }, 'client'],
      'txt 400',
    ],
    ['null as image is accepted from a client', [{ profileImageUrl: null }, 'client'], undefined],
    ['a linked image is refused for a client', [{ profileImageUrl: 'https://example.com/a.png' }, 'client'], 'txt 400'],
    [
      'an SVG image is refused for a client',
      [{ profileImageUrl: 'data:image/svg+xml;base64,aaaa' }, 'client'],
      'txt 400',
    ],
    [
      'a linked image is accepted from a server',
      [{ profileImageUrl: 'https://example.com/a.png' }, 'server'],
      undefined,
    ],
    ['a linked image is accepted from an admin', [{ profileImageUrl: 'ftp://example.com/a' }, 'admin'], undefined],
    [
      'all kinds of metadata are accepted from a server',
      [{ clientMetadata: null, serverMetadata: [1] }, 'server'],
      undefined,
    ],
    ['control 89: client metadata above the limit is refused', [{ clientMetadata: tooLarge }, 'client'], 'txt 400'],
    [
      'control 89: client read-only metadata above the limit is refused',
      [{ clientReadOnlyMetadata: tooLarge }, 'server'],
      'txt 400',
    ],
    ['control 89: server metadata above the limit is refused', [{ serverMetadata: tooLarge }, 'admin'], 'txt 400'],
  ])('%s', (_, given, expected) => {
    expect(resultOf(() => assertTeamFields(...given, imagesUrl))).toBe(expected);
  });
});

describe('the permission check of a client', () => {
  const membership = { teamId, userId: ada };
  const notIn = { team_id: teamId, user_id: ada };

  test.each<[string, readonly string[], Parameters<typeof assertHolds>[1]]>([
    ['a member when no permission is needed', [], []],
    ['a member with the needed permission', ['$update_team'], ['$update_team']],
    [
      'a member with the needed permissions and others',
      ['$read_members', '$invite_members', 'x'],
      ['$read_members', '$invite_members'],
    ],
  ])('%s passes', (_, held, needed) => {
    expect(() => assertHolds(new Set(held), needed, membership)).not.toThrow();
  });

  test.each<[string, readonly string[] | null, Parameters<typeof assertHolds>[1], object]>([
    ['refuses a user who is not a member', null, [], { errorCode: 'TEAM_MEMBERSHIP_NOT_FOUND', details: notIn }],
    [
      'refuses a user who is not a member before it checks a permission',
      null,
      ['$update_team'],
      { errorCode: 'TEAM_MEMBERSHIP_NOT_FOUND', details: notIn },
    ],
    [
      'refuses a member without the permission',
      ['$delete_team'],
      ['$update_team'],
      { errorCode: 'TEAM_PERMISSION_REQUIRED', details: { ...notIn, permission_id: '$update_team' } },
    ],
    [
      'names the first missing permission',
      [],
      ['$read_members', '$invite_members'],
      { errorCode: 'TEAM_PERMISSION_REQUIRED', details: { ...notIn, permission_id: '$read_members' } },
    ],
    [
      'names the second permission when only that is missing',
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
])('the sign-up team of %s, %s has the name %s', (displayName, primaryEmail, name) => {
  expect(deriveTeamName({ displayName, primaryEmail })).toBe(name);
});
