import { expect, test } from 'vitest';
import { getRemovalNeed } from './rules.ts';

const ada = '3241a285-8329-4d69-8f3d-316e08cf140c';
const bob = '0f2f8f4e-0a0e-4d8e-9a3c-5a4f1f0f9d11';

test.each([
  ['a client leaves without a permission', ada, 'client', undefined],
  [
    'a client removes another member with $remove_members',
    bob,
    'client',
    { permissions: ['$remove_members'], signedOut: 'CANNOT_GET_OWN_USER_WITHOUT_USER' },
  ],
  ['a server removes a member without a permission', bob, 'server', undefined],
  ['an admin removes a member without a permission', bob, 'admin', undefined],
] as const)('%s', (_, target, level, expected) => {
  expect(getRemovalNeed(target, { level, userId: ada })).toEqual(expected);
});

test('a signed-out client cannot remove a member', () => {
  const expected = expect.objectContaining({ errorCode: 'CANNOT_GET_OWN_USER_WITHOUT_USER' });
  expect(() => getRemovalNeed(bob, { level: 'client', userId: null })).toThrow(expected);
});

test('a server needs no user to remove a member', () => {
  expect(getRemovalNeed(bob, { level: 'server', userId: null })).toBeUndefined();
});
