import { describe, expect, test } from 'vitest';
import { planUserUpdate } from '../rules.ts';
import type { PlannedChange, UpdateContext, UserPatch } from '../user-update.ts';
import { normalizedEmail } from './rules.ts';

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

test.each([
  ['Ada@Example.COM', 'ada@example.com'],
  [' ada@example.com\t', 'ada@example.com'],
  ['a.d.a+tag@example.com', 'a.d.a+tag@example.com'],
])('normalizedEmail of %j is %j', (typed, stored) => {
  expect(normalizedEmail(typed)).toBe(stored);
});

describe('the plan for the primary email', () => {
  test.each<[string, Address, UserPatch, PlannedChange[]]>([
    ['a new address keeps the flags', verified, { primaryEmail: value }, update(true, true)],
    ['a new address keeps flags that are off', plain, { primaryEmail: value }, update(false, false)],
    [
      'a new address takes the flag of the request',
      verified,
      { primaryEmail: value, primaryEmailVerified: false },
      update(false, true),
    ],
    [
      'one flag changes without the other',
      plain,
      { primaryEmail: value, primaryEmailAuthEnabled: true },
      update(false, true),
    ],
    ['a first address starts without flags', none, { primaryEmail: value }, create(false, false)],
    [
      'a first address is verified on request',
      none,
      { primaryEmail: value, primaryEmailVerified: true },
      create(true, false),
    ],
    [
      'a first address signs in on request',
      none,
      { primaryEmail: value, primaryEmailAuthEnabled: true },
      create(false, true),
    ],
    ['null deletes the address', verified, { primaryEmail: null }, [{ kind: 'deletePrimaryEmail' }]],
    [
      'null with flags that are off deletes the address',
      verified,
      { primaryEmail: null, primaryEmailVerified: false, primaryEmailAuthEnabled: false },
      [{ kind: 'deletePrimaryEmail' }],
    ],
    [
      'verified without an address in the request',
      plain,
      { primaryEmailVerified: true },
      update(true, false, 'old@example.com'),
    ],
    [
      'unverified without an address in the request',
      verified,
      { primaryEmailVerified: false },
      update(false, true, 'old@example.com'),
    ],
    [
      'sign-in on without an address in the request',
      plain,
      { primaryEmailAuthEnabled: true },
      update(false, true, 'old@example.com'),
    ],
    [
      'sign-in off without an address in the request',
      verified,
      { primaryEmailAuthEnabled: false },
      update(true, false, 'old@example.com'),
    ],
    [
      'the same address again, with a flag',
      verified,
      { primaryEmail: 'old@example.com', primaryEmailVerified: false },
      update(false, true, 'old@example.com'),
    ],
    ['null for a user without an address changes nothing', none, { primaryEmail: null }, []],
    ['unverified for a user without an address changes nothing', none, { primaryEmailVerified: false }, []],
    ['sign-in off for a user without an address changes nothing', none, { primaryEmailAuthEnabled: false }, []],
    [
      'null with both flags off for a user without an address changes nothing',
      none,
      { primaryEmail: null, primaryEmailVerified: false, primaryEmailAuthEnabled: false },
      [],
    ],
  ])('plans: %s', (_, address, patch, changes) => {
    expect(plan(patch, address)).toEqual(changes);
  });

  test.each<[string, Address, UserPatch]>([
    ['verified for a user without an address', none, { primaryEmailVerified: true }],
    ['sign-in on for a user without an address', none, { primaryEmailAuthEnabled: true }],
    ['null with verified', verified, { primaryEmail: null, primaryEmailVerified: true }],
    ['null with sign-in', verified, { primaryEmail: null, primaryEmailAuthEnabled: true }],
    ['null with verified for a user without an address', none, { primaryEmail: null, primaryEmailVerified: true }],
  ])('%s is refused', (_, address, patch) => {
    expect(() => plan(patch, address)).toThrow(expect.objectContaining({ name: 'Refusal', status: 400 }));
  });

  describe('for an address of another channel of the user', () => {
    const ownsNewAddress = true;

    test.each<[string, Address, UserPatch, PlannedChange[]]>([
      [
        'makes that channel primary with its own flags',
        verified,
        { primaryEmail: value },
        [{ kind: 'switchPrimaryEmail', value, isVerified: undefined, usedForAuth: undefined }],
      ],
      [
        'makes that channel primary for a user without a primary email',
        none,
        { primaryEmail: value, primaryEmailVerified: true },
        [{ kind: 'switchPrimaryEmail', value, isVerified: true, usedForAuth: undefined }],
      ],
      [
        'keeps the channel when it is the primary one already',
        verified,
        { primaryEmail: 'old@example.com' },
        update(true, true, 'old@example.com'),
      ],
    ])('%s', (_, address, patch, changes) => {
      expect(plan(patch, address, { ownsNewAddress })).toEqual(changes);
    });
  });
});
