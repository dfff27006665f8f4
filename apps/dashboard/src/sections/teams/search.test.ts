import { expect, test } from 'vitest';
import { arrangeTeams, readTeamSearch } from './search.ts';

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

const teams = [
  { id: 'id-b', displayName: 'Bakers 10', createdAt: new Date(1) },
  { id: 'id-a', displayName: 'bakers 9', createdAt: new Date(2) },
  { id: 'id-c', displayName: 'Éclairs', createdAt: new Date(3) },
];

test.each([
  ['no filter', {}, ['id-c', 'id-a', 'id-b']],
  ['the oldest first', { order: 'oldest' }, ['id-b', 'id-a', 'id-c']],
  ['the order of names, with numbers by value', { order: 'name' }, ['id-a', 'id-b', 'id-c']],
  ['a text in another case', { q: 'BAKERS' }, ['id-a', 'id-b']],
  ['an id', { q: 'id-c' }, ['id-c']],
  ['a text that no team has', { q: 'zebra' }, []],
] as const)('a team list with %s has the right teams in the right order', (_, search, expected) => {
  expect(arrangeTeams(teams, search).map(({ id }) => id)).toEqual(expected);
});
