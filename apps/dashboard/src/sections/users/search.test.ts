import { expect, test } from 'vitest';
import { readUserSearch } from './search.ts';

test.each([
  [{}, {}],
  [
    { q: 'ada', order: 'oldest' },
    { q: 'ada', order: 'oldest' },
  ],
  // The router parses a number in the address.
  [{ q: 12 }, { q: '12' }],
  [{ q: '  ', order: 'sideways', extra: 1 }, {}],
  [{ q: { nested: true } }, {}],
  [{ hide: ['id', 'id', 7] }, { hide: ['id'] }],
  [{ hide: [] }, {}],
])('the address %j is read as the filters %j', (search, expected) => {
  expect(readUserSearch(search)).toEqual(expected);
});
