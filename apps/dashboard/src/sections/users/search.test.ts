import { expect, test } from 'vitest';
import { filterCount, isFiltered, readUserSearch, userFilterOf } from './search.ts';

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
  [
    { method: 'github', verified: 'no', anonymous: 'maybe', activeFrom: '2026-02-30', joinedTo: '2026-01-31' },
    { method: 'github', verified: 'no', joinedTo: '2026-01-31' },
  ],
  [{ team: '3241A285-8329-4d69-8f3d-316e08cf140c' }, { team: '3241a285-8329-4d69-8f3d-316e08cf140c' }],
  [{ team: 'x', method: 'Not a method' }, {}],
])('the address %j is read as the filters %j', (search, expected) => {
  expect(readUserSearch(search)).toEqual(expected);
});

test('a range includes its last day, and the newest users come first unless the address says otherwise', () => {
  expect(userFilterOf({ activeFrom: '2026-01-31', activeTo: '2026-01-31', verified: 'no' })).toEqual({
    desc: true,
    isVerified: false,
    activeFrom: new Date(2026, 0, 31),
    activeTo: new Date(2026, 1, 1),
  });
  expect(userFilterOf({ order: 'oldest', q: 'ada' })).toEqual({ desc: false, query: 'ada' });
});

test.each([
  ['Ada Lovelace <ada@example.com>', 'ada@example.com'],
  ['<ada@example.com>', 'ada@example.com'],
  ['mailto:ada@example.com', 'ada@example.com'],
  ['ada@', 'ada@'],
  ['@example.com', '@example.com'],
  ['Ada <3', 'Ada <3'],
])('a search for the pasted text %j asks for %j', (q, query) => {
  expect(userFilterOf({ q })).toEqual({ desc: true, query });
});

test('search, order and columns are not counted as filters', () => {
  expect(filterCount({ q: 'ada', order: 'oldest', hide: ['id'], method: 'otp', factor: 'yes' })).toBe(2);
});

test.each([
  [{}, false],
  [{ order: 'oldest', hide: ['id'] }, false],
  [{ q: 'ada' }, true],
  [{ verified: 'no' }, true],
] as const)('the list with %j is filtered: %s', (search, expected) => {
  expect(isFiltered(search)).toBe(expected);
});
