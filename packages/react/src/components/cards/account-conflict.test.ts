import { expect, test } from 'vitest';
import type { Translate } from '../../words/words.ts';
import { accountConflict } from './account-conflict.ts';

const translate: Translate = key => key;
const errorCode = 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE';
const details = (contact_channel_value: unknown) => JSON.stringify({ type: 'email', contact_channel_value });
const read = (query: Record<string, string>) => accountConflict(new URLSearchParams(query), translate);

test('address, provider and methods are read', () => {
  const query = { errorCode, details: details('ada@example.com'), provider: 'github' };
  expect(read({ ...query, account_methods: 'password,code,passkey,google' })).toEqual({
    provider: 'github',
    email: 'ada@example.com',
    methods: ['access.password', 'access.otp', 'access.passkey', 'Google'],
  });
  expect(read({ ...query, account_methods: '' })).toMatchObject({ methods: [] });
});

test('a text of the link is not shown as provider or method', () => {
  const query = { errorCode, details: details('ada@example.com'), provider: 'Call 555!', account_methods: 'Call 555!' };
  expect(read(query)).toEqual({ provider: undefined, email: 'ada@example.com', methods: [] });
});

test.each([
  { errorCode: 'SIGN_UP_NOT_ENABLED', details: details('ada@example.com') },
  { errorCode, details: details('call 555 now') },
  { errorCode, details: details(7) },
  { errorCode, details: 'null' },
  { errorCode, details: '{' },
  { errorCode },
])('the query %j is not read as an account conflict', query => {
  expect(read(query as Record<string, string>)).toBeUndefined();
});
