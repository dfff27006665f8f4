import { expect, test } from 'vitest';
import { isOwnAddress, keepsCredentials, opensLinksOnly } from './rules.ts';

test.each([
  ['js @stackframe/stack@2.5.37', true],
  ['js @stackframe/stack@2.5.36', true],
  ['js @stackframe/stack@2.4.99', true],
  ['js @stackframe/stack@1.99.99', true],
  ['js   @stackframe/stack@2.5', true],
  ['js @stackframe/stack@2.5.38', false],
  ['js @stackframe/stack@2.5.371', false],
  ['js @stackframe/stack@2.6.0', false],
  ['js @stackframe/stack@2.8.39', false],
  ['js @stackframe/stack@3.0.0', false],
  ['js @stackframe/stack@10.0.0', false],
  ['js @stackframe/react@2.5.37', false],
  ['js @tessera/client@0.1.0', false],
  ['@stackframe/stack@2.5.37', false],
  ['js @stackframe/stack@2.5.37-beta', false],
  ['js @stackframe/stack@', false],
  ['', false],
  [null, false],
])('the client version %j opens links only: %s', (clientVersion, expected) => {
  expect(opensLinksOnly(clientVersion)).toBe(expected);
});

test.each([
  ['password sign-up, nothing verified before', { value: 'a@x.example', isVerified: false }, [], false],
  [
    'password sign-up with an address verified before',
    { value: 'a@x.example', isVerified: false },
    ['a@x.example'],
    false,
  ],
  ['code or vouching provider, address unverified before', { value: 'a@x.example', isVerified: true }, [], false],
  [
    'code or vouching provider, another address verified before',
    { value: 'a@x.example', isVerified: true },
    ['b@x.example'],
    false,
  ],
  [
    'code or vouching provider, the address verified before',
    { value: 'a@x.example', isVerified: true },
    ['a@x.example'],
    true,
  ],
  ['provider without an address', null, ['a@x.example'], false],
] as const)(
  'an upgrade by %s keeps earlier credentials only with the same proof: %j, %j',
  (_, email, before, keeps) => {
    expect(keepsCredentials(email, before)).toBe(keeps);
  },
);

test.each([
  ['a caller without a user', null, false],
  ['the anonymous user of the account', { id: 'ada', isAnonymous: true }, true],
  ['another anonymous user', { id: 'bob', isAnonymous: true }, false],
  ['the user of the account, who is not anonymous', { id: 'ada', isAnonymous: false }, false],
])('an address of an account is free for a sign-up by %s, caller %j: %s', (_, caller, expected) => {
  expect(isOwnAddress({ userId: 'ada' }, caller)).toBe(expected);
});
