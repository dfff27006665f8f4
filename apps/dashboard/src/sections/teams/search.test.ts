import { expect, test } from 'vitest';
import { readTeamSearch } from './search.ts';

test.each([
  [{}, {}],
  [
    { q: 'blue', order: 'name' },
    { q: 'blue', order: 'name' },
  ],
  // The router parses a number in the address.
  [
    { q: 12, order: 'oldest' },
    { q: '12', order: 'oldest' },
  ],
  [{ q: '  ', order: 'sideways', extra: 1 }, {}],
])('the address %j of the team list is read as the filters %j', (search, expected) => {
  expect(readTeamSearch(search)).toEqual(expected);
});
