import { describe, expect, test } from 'vitest';
import {
  assertKindAllowed,
  assertMayManage,
  assertScopes,
  assertValid,
  isUseDue,
  type KeyState,
  mustRevokeLeaked,
  normalizeExpiry,
} from './rules.ts';

const refusedWith = (verdict: string | number) =>
  expect.objectContaining(typeof verdict === 'number' ? { status: verdict } : { errorCode: verdict });

test.each([
  ['user', true, false, 'passes'],
  ['user', false, true, 400],
  ['team', true, false, 400],
  ['team', false, true, 'passes'],
] as const)('assertKindAllowed for a %s key, with user keys %s and team keys %s: %s', (kind, user, team, verdict) => {
  const decide = () => assertKindAllowed(kind, { allowUserApiKeys: user, allowTeamApiKeys: team });
  if (verdict === 'passes') expect(decide).not.toThrow();
  else expect(decide).toThrow(refusedWith(verdict));
});

describe('assertMayManage', () => {
  const [ada, bob, team] = [
    { kind: 'user', id: 'ada' },
    { kind: 'user', id: 'bob' },
    { kind: 'team', id: 'team' },
  ] as const;

  test.each([
    ['client', 'ada', ada, [], 'passes'],
    ['client', 'ada', bob, [], 403],
    ['client', 'ada', bob, ['$manage_api_keys'], 403],
    ['client', undefined, ada, [], 'USER_AUTHENTICATION_REQUIRED'],
    ['client', undefined, team, ['$manage_api_keys'], 'USER_AUTHENTICATION_REQUIRED'],
    ['client', 'ada', team, ['$manage_api_keys'], 'passes'],
    ['client', 'ada', team, ['team_admin', '$manage_api_keys'], 'passes'],
    ['client', 'ada', team, ['$update_team'], 'API_KEY_NOT_FOUND'],
    ['client', 'ada', team, [], 'API_KEY_NOT_FOUND'],
    ['server', undefined, ada, [], 'passes'],
    ['server', 'ada', bob, [], 'passes'],
    ['server', undefined, team, [], 'passes'],
    ['admin', undefined, bob, [], 'passes'],
  ] as const)('level %s, user %s, owner %j, team permissions %j: %s', (level, userId, owner, held, verdict) => {
    const decide = () => assertMayManage(owner, { level, userId }, new Set(held));
    if (verdict === 'passes') expect(decide).not.toThrow();
    else expect(decide).toThrow(refusedWith(verdict));
  });
});

test.each([
  [null, null],
  [0, null],
  [1, 1],
  [-1, -1],
])('the expiry %s is stored as %s', (given, stored) => {
  expect(normalizeExpiry(given)).toBe(stored);
});

const now = 1_000;
const good: KeyState = {
  owner: { kind: 'user', id: 'ada' },
  isPublic: false,
  expiresAtMillis: null,
  manuallyRevokedAtMillis: null,
  scopes: null,
};
const teamOwner = { kind: 'team', id: 'team' } as const;

test.each<[string, KeyState | undefined, 'user' | 'team', string]>([
  ['a valid key', good, 'user', 'passes'],
  ['a key of a team', { ...good, owner: teamOwner }, 'team', 'passes'],
  ['a public key', { ...good, isPublic: true }, 'user', 'passes'],
  ['a key that expires in the next millisecond', { ...good, expiresAtMillis: now + 1 }, 'user', 'passes'],
  ['no key', undefined, 'user', 'API_KEY_NOT_FOUND'],
  ['a key of the other kind', good, 'team', 'WRONG_API_KEY_TYPE'],
  ['a team key as a user key', { ...good, owner: teamOwner }, 'user', 'WRONG_API_KEY_TYPE'],
  ['a revoked key', { ...good, manuallyRevokedAtMillis: 1 }, 'user', 'API_KEY_REVOKED'],
  ['a key that expires now', { ...good, expiresAtMillis: now }, 'user', 'API_KEY_EXPIRED'],
  ['a key from before 1970', { ...good, expiresAtMillis: -1 }, 'user', 'API_KEY_EXPIRED'],
  ['a revoked and expired key', { ...good, manuallyRevokedAtMillis: 1, expiresAtMillis: 1 }, 'user', 'API_KEY_REVOKED'],
  [
    'a revoked and expired key of the other kind',
    { ...good, manuallyRevokedAtMillis: 1, expiresAtMillis: 1 },
    'team',
    'WRONG_API_KEY_TYPE',
  ],
])('assertValid of %s', (_, key, kind, verdict) => {
  const decide = () => assertValid(key, { kind, nowMillis: now });
  if (verdict === 'passes') expect(decide).not.toThrow();
  else expect(decide).toThrow(refusedWith(verdict));
});

test('WRONG_API_KEY_TYPE names the expected and the actual kind', () => {
  expect(() => assertValid(good, { kind: 'team', nowMillis: now })).toThrow(
    expect.objectContaining({ details: { expected_type: 'team', actual_type: 'user' } }),
  );
});

test.each<[string, KeyState | undefined, boolean | string]>([
  ['valid', good, true],
  ['revoked', { ...good, manuallyRevokedAtMillis: 1 }, false],
  ['unknown', undefined, 'API_KEY_NOT_FOUND'],
  ['public', { ...good, isPublic: true }, 'PUBLIC_API_KEY_CANNOT_BE_REVOKED'],
  ['expired', { ...good, expiresAtMillis: now }, 'API_KEY_EXPIRED'],
  ['public and expired', { ...good, isPublic: true, expiresAtMillis: 1 }, 'PUBLIC_API_KEY_CANNOT_BE_REVOKED'],
  ['expired and revoked', { ...good, expiresAtMillis: 1, manuallyRevokedAtMillis: 1 }, 'API_KEY_EXPIRED'],
  ['public and revoked', { ...good, isPublic: true, manuallyRevokedAtMillis: 1 }, 'PUBLIC_API_KEY_CANNOT_BE_REVOKED'],
])('the report of a leaked key that is %s', (_, key, verdict) => {
  if (typeof verdict === 'boolean') expect(mustRevokeLeaked(key, now)).toBe(verdict);
  else expect(() => mustRevokeLeaked(key, now)).toThrow(refusedWith(verdict));
});

test.each([
  [null, true],
  [100_000, false],
  [40_001, false],
  [40_000, true],
  [0, true],
  [100_001, false],
])('at 100,000 ms the last use at %s is recorded again: %s', (lastUsedAtMillis, isDue) => {
  expect(isUseDue(lastUsedAtMillis, 100_000)).toBe(isDue);
});

test.each([
  ['a key without a limit passes', null, ['read', 'write'], []],
  ['a key that has all of them passes', ['write', 'read'], ['read', 'write'], []],
  ['a key passes when none is needed', ['read'], [], []],
  ['a key that has some of them is refused', ['read'], ['read', 'write'], ['write']],
  ['a scope is compared as a whole', ['invoices:read'], ['invoices'], ['invoices']],
])('assertScopes: %s', (_, scopes, required, missing) => {
  const decide = () => assertScopes({ scopes }, required);
  if (missing.length === 0) expect(decide).not.toThrow();
  else
    expect(decide).toThrow(
      expect.objectContaining({ errorCode: 'API_KEY_SCOPE_MISSING', details: { missing_scopes: missing } }),
    );
});
