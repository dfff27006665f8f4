import { describe, expect, test } from 'vitest';
import { reauthenticationMethods } from './rules.ts';

const user = {
  hasPassword: true,
  hasPasskey: true,
  requiresTotpMfa: false,
  primaryEmail: 'ada@example.com',
  primaryEmailVerified: true,
};
const config = { credentialEnabled: true, passkeyEnabled: true, passkeyCountsAsBothFactors: false };
const namesOf = (changes: object) =>
  reauthenticationMethods({ ...user, ...changes }, { ...config, ...changes }).map(({ method }) => method);

describe('the ways to reauthenticate', () => {
  test.each<[string, object, string[]]>([
    ['a user with every method has all, the passkey first', {}, ['passkey', 'password', 'code']],
    ['a user without a password has no password', { hasPassword: false }, ['passkey', 'code']],
    ['a user without a passkey has no passkey', { hasPasskey: false }, ['password', 'code']],
    ['an unverified address gets no code', { primaryEmailVerified: false }, ['passkey', 'password']],
    ['a user without an address gets no code', { primaryEmail: null }, ['passkey', 'password']],
    ['a project without passwords accepts none', { credentialEnabled: false }, ['passkey', 'code']],
    ['a project without passkeys accepts none', { passkeyEnabled: false }, ['password', 'code']],
  ])('%s', (_, changes, expected) => {
    expect(namesOf(changes)).toEqual(expected);
  });

  test('with two-step verification each needs a TOTP code', () => {
    const found = reauthenticationMethods({ ...user, requiresTotpMfa: true }, config);
    expect(found.map(({ needsTotp }) => needsTotp)).toEqual([true, true, true]);
  });

  test('a passkey needs no TOTP code where it counts as both factors', () => {
    const found = reauthenticationMethods(
      { ...user, requiresTotpMfa: true },
      { ...config, passkeyCountsAsBothFactors: true },
    );
    expect(found.map(({ needsTotp }) => needsTotp)).toEqual([false, true, true]);
  });
});
