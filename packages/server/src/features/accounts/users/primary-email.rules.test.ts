import { describe, expect, test } from 'vitest';
import { type PlannedChange, planUserUpdate, type UpdateContext, type UserPatch } from './rules.ts';

type Address = Pick<UpdateContext['user'], 'primaryEmail' | 'primaryEmailVerified' | 'primaryEmailAuthEnabled'>;

const none = { primaryEmail: null, primaryEmailVerified: false, primaryEmailAuthEnabled: false };
const verified = { primaryEmail: 'old@example.com', primaryEmailVerified: true, primaryEmailAuthEnabled: true };
const plain = { primaryEmail: 'old@example.com', primaryEmailVerified: false, primaryEmailAuthEnabled: false };

function plan(patch: UserPatch, address: Address, { ownsNewAddress = false } = {}): PlannedChange[] {
  const user = { id: '3241a285-8329-4d69-8f3d-316e08cf140c', hasPassword: true, otpAuthEnabled: false, ...address };
  const config = { credentialEnabled: true, magicLinkEnabled: true };
  return planUserUpdate(patch, {
    user,
    level: 'server',
    config,
    ownsNewAddress,
    channelCount: 0,
    isInSelectedTeam: false,
    imagesUrl: '',
  });
}

const value = 'new@example.com';
const update = (isVerified: boolean, usedForAuth: boolean, to = value): PlannedChange[] => [
  { kind: 'updatePrimaryEmail', value: to, isVerified, usedForAuth },
];
const create = (isVerified: boolean, usedForAuth: boolean): PlannedChange[] => [
  { kind: 'createPrimaryEmail', value, isVerified, usedForAuth },
];

describe('the plan for the primary email', () => {
  test.each<[string, Address, UserPatch, PlannedChange[]]>([
    ['a new address keeps the flags', verified, { primaryEmail: value }, update(true, true)],
    ['also when they are off', plain, { primaryEmail: value }, update(false, false)],
    ['or takes new ones', verified, { primaryEmail: value, primaryEmailVerified: false }, update(false, true)],
    ['each by itself', plain, { primaryEmail: value, primaryEmailAuthEnabled: true }, update(false, true)],
    ['a first address starts with none', none, { primaryEmail: value }, create(false, false)],
    ['verified when told', none, { primaryEmail: value, primaryEmailVerified: true }, create(true, false)],
    ['for sign-in when told', none, { primaryEmail: value, primaryEmailAuthEnabled: true }, create(false, true)],
    ['null deletes it', verified, { primaryEmail: null }, [{ kind: 'deletePrimaryEmail' }]],
    [
      'null with flags that are off, too',
      verified,
      { primaryEmail: null, primaryEmailVerified: false, primaryEmailAuthEnabled: false },
      [{ kind: 'deletePrimaryEmail' }],
    ],
    ['verified alone', plain, { primaryEmailVerified: true }, update(true, false, 'old@example.com')],
    ['not verified alone', verified, { primaryEmailVerified: false }, update(false, true, 'old@example.com')],
    ['sign-in alone', plain, { primaryEmailAuthEnabled: true }, update(false, true, 'old@example.com')],
    ['no sign-in alone', verified, { primaryEmailAuthEnabled: false }, update(true, false, 'old@example.com')],
    [
      'the same address again, with a flag',
      verified,
      { primaryEmail: 'old@example.com', primaryEmailVerified: false },
      update(false, true, 'old@example.com'),
    ],
    ['R500: null without one', none, { primaryEmail: null }, []],
    ['R500: not verified without one', none, { primaryEmailVerified: false }, []],
    ['R500: no sign-in without one', none, { primaryEmailAuthEnabled: false }, []],
    [
      'R500: all of these',
      none,
      { primaryEmail: null, primaryEmailVerified: false, primaryEmailAuthEnabled: false },
      [],
    ],
  ])('%s', (_, address, patch, changes) => {
    expect(plan(patch, address)).toEqual(changes);
  });

  test.each<[string, Address, UserPatch]>([
    ['verified without an address', none, { primaryEmailVerified: true }],
    ['sign-in without an address', none, { primaryEmailAuthEnabled: true }],
    ['R500: null and verified', verified, { primaryEmail: null, primaryEmailVerified: true }],
    ['R500: null and sign-in', verified, { primaryEmail: null, primaryEmailAuthEnabled: true }],
    ['null and verified, without one', none, { primaryEmail: null, primaryEmailVerified: true }],
  ])('%s is refused', (_, address, patch) => {
    expect(() => plan(patch, address)).toThrow(expect.objectContaining({ name: 'Refusal', status: 400 }));
  });

  describe('R500: an address that is another channel of the user', () => {
    const ownsNewAddress = true;

    test.each<[string, Address, UserPatch, PlannedChange[]]>([
      [
        'becomes the primary one with its own flags',
        verified,
        { primaryEmail: value },
        [{ kind: 'switchPrimaryEmail', value, isVerified: undefined, usedForAuth: undefined }],
      ],
      [
        'also when there was none',
        none,
        { primaryEmail: value, primaryEmailVerified: true },
        [{ kind: 'switchPrimaryEmail', value, isVerified: true, usedForAuth: undefined }],
      ],
      [
        'but not when it is the primary one already',
        verified,
        { primaryEmail: 'old@example.com' },
        update(true, true, 'old@example.com'),
      ],
    ])('%s', (_, address, patch, changes) => {
      expect(plan(patch, address, { ownsNewAddress })).toEqual(changes);
    });
  });
});
