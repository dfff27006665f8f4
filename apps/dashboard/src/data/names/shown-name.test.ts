import { expect, test } from 'vitest';
import { shownName } from './shown-name.ts';

test.each([
  ['a right-to-left override', '\u202eevil.com', 'evil.com'],
  ['no visible character', '\u200b\u2066', '–'],
  ['letters of a right-to-left script', 'فريق', 'فريق'],
])('the shown name of a team whose name has %s', (_, name, shown) => {
  expect(shownName(name)).toBe(shown);
});
