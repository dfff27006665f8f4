import type { Team } from '@tessera/client';
import { neverExpires } from '@tessera/ui';
import { describe, expect, it } from 'vitest';
import { createDateFormats } from '../../words/dates.ts';
import { expiryIn, keysToShow, lifetimes } from './api-keys/keys.ts';
import { hasVerifiedSignInAddress, inOrder, isOnlySignInAddress, isOnlyWay, methodsOf } from './auth/methods.ts';
import { itemAt, settingsItems } from './items.ts';
import { middle, moveView, placeOf, squareOf } from './profile/crop.ts';
import { teamRights } from './team/team-rights.ts';

const day = 86_400_000;

describe('the list of sections', () => {
  const config = { allowUserApiKeys: false, clientTeamCreationEnabled: false };
  const team = { id: 't', displayName: 'T' } as Team;

  it.each([
    [{ config }, ['profile', 'auth', 'notifications', 'sessions', 'settings']],
    [
      { config: { allowUserApiKeys: true, clientTeamCreationEnabled: true }, teams: [team], extraIds: ['x'] },
      ['profile', 'auth', 'notifications', 'sessions', 'api-keys', 'settings', 'x', 'team-t', 'team-creation'],
    ],
  ])('%j', (given, ids) => {
    expect(settingsItems({ teams: [], extraIds: [], ...given }).map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['', undefined],
    ['#', undefined],
    ['#sessions', 'sessions'],
    ['#team-gone', undefined],
  ])('at %j: %s', (hash, id) => {
    expect(itemAt(hash, settingsItems({ config, teams: [], extraIds: [] }))?.id).toBe(id);
  });
});

describe('sign-in methods', () => {
  const none = { hasPassword: false, otpAuthEnabled: false, passkeyAuthEnabled: false, oauthProviders: [] };

  const all = { hasPassword: true, otpAuthEnabled: true, passkeyAuthEnabled: true, oauthProviders: [{ id: 'github' }] };
  const enabled = {
    credentialEnabled: true,
    magicLinkEnabled: true,
    passkeyEnabled: true,
    oauthProviders: [{ id: 'github' }],
  };
  const disabled = { credentialEnabled: false, magicLinkEnabled: false, passkeyEnabled: false, oauthProviders: [] };
  const address = { value: 'ada@example.com', isPrimary: true, isVerified: true, usedForAuth: true };

  it.each([
    ['of an account without any', none, enabled, [address], []],
    ['are all that the account has', all, enabled, [address], ['password', 'otp', 'passkey', 'provider:github']],
    ['are only those of the project', all, disabled, [address], []],
    [
      'by code need a verified address',
      all,
      enabled,
      [{ ...address, isVerified: false }],
      ['password', 'passkey', 'provider:github'],
    ],
    [
      'by password need a sign-in address',
      all,
      enabled,
      [{ ...address, usedForAuth: false }],
      ['passkey', 'provider:github'],
    ],
  ])('%s', (_, user, config, channels, ways) => expect(methodsOf(user, config, channels)).toEqual(ways));

  it('the last method is recognised', () => {
    expect(isOnlyWay(['passkey'], 'passkey')).toBe(true);
    expect(isOnlyWay([], 'passkey')).toBe(true);
    expect(isOnlyWay(['password', 'passkey'], 'passkey')).toBe(false);
    expect(isOnlyWay(['password'], 'passkey')).toBe(false);
  });
});

it('email addresses are ordered primary first, then verified', () => {
  const channel = (value: string, isPrimary: boolean, isVerified: boolean, usedForAuth = false) => ({
    value,
    isPrimary,
    isVerified,
    usedForAuth,
  });
  const [a, b, c, d] = [
    channel('d', false, false),
    channel('c', false, true, true),
    channel('b', true, false),
    channel('a', false, true),
  ];
  expect(inOrder([a, b, c, d]).map(({ value }) => value)).toEqual(['b', 'a', 'c', 'd']);
  expect(isOnlySignInAddress(b, [a, b, c, d])).toBe(true);
  expect(isOnlySignInAddress(a, [a, b])).toBe(false);
  expect(isOnlySignInAddress(b, [b, { ...a, usedForAuth: true }])).toBe(false);
  expect(hasVerifiedSignInAddress([{ ...a, usedForAuth: true }])).toBe(false);
  expect(hasVerifiedSignInAddress([b])).toBe(true);
});

describe('API keys', () => {
  it('with the lifetime "never" have an expiry that counts as never', () => {
    const never = lifetimes.find(({ word }) => word === 'keys.never');
    expect(neverExpires(expiryIn(never?.days ?? 0))).toBe(true);
  });

  it('are found by description and last characters', () => {
    const key = (description: string, lastFour: string) => ({
      description,
      value: { lastFour },
      createdAt: new Date(0),
      whyInvalid: () => null,
    });
    const keys = [key('Deploy', 'a1b2'), key('Backup', 'c3d4')];
    expect(keysToShow(keys, { search: ' DEPLOY ', status: 'all' })).toEqual([keys[0]]);
    expect(keysToShow(keys, { search: 'C3D', status: 'valid' })).toEqual([keys[1]]);
    expect(keysToShow(keys, { search: '', status: 'revoked' })).toEqual([]);
  });
});

it.each([
  [[], {}],
  [['$read_members'], { seesMembers: true, seesRoles: true }],
  [['$invite_members'], { seesMembers: true, mayInvite: true }],
  [
    ['$invite_members', '$read_members'],
    { seesMembers: true, seesRoles: true, mayInvite: true, seesInvitations: true },
  ],
  [['$remove_members'], { mayRemove: true }],
  [['$delete_team'], { mayDelete: true }],
  [['$update_team'], { mayUpdate: true }],
  [['$manage_api_keys'], { hasApiKeys: true }],
])('with %j in a team: %j', (permissions, rights) => {
  const none = { mayUpdate: false, seesMembers: false, mayInvite: false, seesInvitations: false, mayRemove: false };
  const expected = { ...none, seesRoles: false, mayDelete: false, hasApiKeys: false, ...rights };
  expect(teamRights(permissions, { allowTeamApiKeys: true })).toEqual(expected);
  expect(teamRights(permissions, { allowTeamApiKeys: false })).toEqual({ ...expected, hasApiKeys: false });
});

describe('cropping', () => {
  const wide = { width: 400, height: 200 };

  it.each([
    [middle, { left: 100, top: 0, side: 200 }],
    [
      { zoom: 2, x: 0.5, y: 0.5 },
      { left: 150, top: 50, side: 100 },
    ],
    [
      { zoom: 2, x: 0, y: 1 },
      { left: 0, top: 100, side: 100 },
    ],
  ])('%j shows %j', (view, square) => expect(squareOf(view, wide)).toEqual(square));

  it('moves the image with the pointer, and never beyond its edge', () => {
    expect(squareOf(moveView(middle, { x: 0.25, y: 0 }, wide), wide).left).toBe(50);
    expect(squareOf(moveView(middle, { x: 5, y: 5 }, wide), wide)).toEqual({ left: 0, top: 0, side: 200 });
    const there = moveView(moveView(middle, { x: 9, y: 0 }, wide), { x: -0.25, y: 0 }, wide);
    expect(squareOf(there, wide).left).toBe(50);
  });

  it('positions the image under the window', () => {
    expect(placeOf(middle, wide, 100)).toEqual({ width: 200, left: -50, top: -0 });
  });
});

it.each([
  [5_000, undefined],
  [20_000, '20 seconds ago'],
  [5 * 60_000, '5 minutes ago'],
  [3 * 3_600_000, '3 hours ago'],
  [day, '1 day ago'],
  [1.4 * day, '1 day ago'],
  [7 * day, '1 week ago'],
  [14 * day, '2 weeks ago'],
  [70 * day, 'Nov 10, 2025'],
])('%i ms ago is %s', (ms, words) => {
  const now = Date.UTC(2026, 0, 19, 12);
  expect(createDateFormats('en-US', () => now).ago(new Date(now - ms))).toBe(words);
});
