import { expect, test } from 'vitest';
import { containablesOf, definitionChanges, validateNewDefinition } from './definition-draft.ts';
import { words } from './words.ts';

test.each([
  ['billing:read_2', {}],
  [' edit ', {}],
  ['', { id: words.idWrong }],
  ['Edit', { id: words.idWrong }],
  ['$edit', { id: words.idWrong }],
  ['taken', { id: words.idTaken }],
])('the new permission id %j has the problems %j', (id, expected) => {
  expect(validateNewDefinition({ id, description: '', contained: [] }, ['taken'])).toEqual(expected);
});

test('a permission that contains itself, directly or through another one, is refused', () => {
  const nodes = [
    { id: 'admin', containedPermissionIds: ['edit'] },
    { id: 'edit', containedPermissionIds: ['read'] },
    { id: 'other', containedPermissionIds: [] },
    { id: 'read', containedPermissionIds: [] },
  ];
  expect(containablesOf('read', nodes)).toEqual([
    { id: 'admin', refusal: words.wouldCycle('read') },
    { id: 'edit', refusal: words.wouldCycle('read') },
    { id: 'other', refusal: undefined },
  ]);
});

test.each([
  { name: 'the description', draft: { description: ' new ', contained: ['read'] }, expected: { description: 'new' } },
  {
    name: 'the contained permissions',
    draft: { description: 'old', contained: ['write'] },
    expected: { containedPermissionIds: ['export', 'write'] },
  },
  { name: 'nothing', draft: { description: ' old ', contained: ['read'] }, expected: {} },
])('an edit of $name of a permission keeps what another admin has changed meanwhile', ({ draft, expected }) => {
  const opened = { description: 'old', containedPermissionIds: ['read'] };
  const stored = { description: 'other', containedPermissionIds: ['read', 'export'] };
  expect(definitionChanges({ opened, stored, draft })).toEqual(expected);
});
