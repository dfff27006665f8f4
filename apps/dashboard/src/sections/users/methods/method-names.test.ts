import { expect, test } from 'vitest';
import { methodNames } from './method-names.ts';

test('the methods of a user have the names that they have on the page of the user', () => {
  const oauthProviders = [{ id: 'github' }, { id: 'unknown' }];
  const user = { hasPassword: true, emailCode: 'on', passkeyAuthEnabled: true, oauthProviders } as const;
  expect(methodNames(user, { magicLinkEnabled: true })).toEqual([
    'Password',
    'Email code',
    'Passkey',
    'GitHub',
    'unknown',
  ]);
});
