import { expect, test } from 'vitest';
import { filterDefinitions, readPermissionSearch } from './search.ts';

test.each([
  [{}, {}],
  [{ q: 'billing' }, { q: 'billing' }],
  [{ q: ' ', extra: 1 }, {}],
])('the address %j of the permissions is read as the filter %j', (search, expected) => {
  expect(readPermissionSearch(search)).toEqual(expected);
});

test.each([
  [undefined, ['billing:read', 'edit']],
  ['BILL', ['billing:read']],
  ['change', ['edit']],
  ['zebra', []],
])('the filter %j finds the permissions %j', (q, expected) => {
  const definitions = [{ id: 'billing:read' }, { id: 'edit', description: 'Change everything' }];
  expect(filterDefinitions(definitions, q === undefined ? {} : { q }).map(({ id }) => id)).toEqual(expected);
});
