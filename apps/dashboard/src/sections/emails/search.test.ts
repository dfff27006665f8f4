import { expect, test } from 'vitest';
import { readComposeSearch, readEmailLogSearch } from './search.ts';

const id = '11111111-1111-4111-8111-111111111111';

test.each([
  [{}, {}],
  [{ state: 'failed', other: 'x' }, { state: 'failed' }],
  [{ state: 'lost' }, {}],
  [{ to: ' ada@example.com ' }, { to: 'ada@example.com' }],
  [{ to: ' ' }, {}],
  [
    { user: id, message: id, email: id },
    { user: id, message: id, email: id },
  ],
  [{ user: 'ada', message: 5, email: ['x'] }, {}],
  // The router parses a number in the address.
  [{ to: 12 }, { to: '12' }],
  [{ user: '-'.repeat(36) }, {}],
])('the search %o of the email log is read as %o', (given, read) => {
  expect(readEmailLogSearch(given)).toEqual(read);
});

test('a new message is for the user or the team of the address', () => {
  expect(readComposeSearch({ user: id })).toEqual({ user: id });
  expect(readComposeSearch({ team: id, user: 1 })).toEqual({ team: id });
});
