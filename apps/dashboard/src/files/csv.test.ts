import { expect, test } from 'vitest';
import { csvCell } from './csv.ts';

test.each([
  ['a missing value', null, ''],
  ['a plain text', 'curl/8.5', 'curl/8.5'],
  ['a text with comma and quote', 'a, "b"', '"a, ""b"""'],
  ['a text with a line break', 'a\nb', '"a\nb"'],
  ['a formula', '=cmd()', "'=cmd()"],
  ['a formula with a comma', '@a,b', '"\'@a,b"'],
])('%s becomes a safe cell of a CSV file', (_, value, expected) => {
  expect(csvCell(value)).toBe(expected);
});
