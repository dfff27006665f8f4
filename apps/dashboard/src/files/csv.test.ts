import { expect, test } from 'vitest';
import { csvCell, parseCsv } from './csv.ts';

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

test.each([
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\uFEFFa,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\n"x, ""y""","line\nbreak"\n',
    [
      ['a', 'b'],
      ['x, "y"', 'line\nbreak'],
    ],
  ],
  [
    'a,b\n1,\n\n,2',
    [
      ['a', 'b'],
      ['1', ''],
      ['', '2'],
    ],
  ],
  [
    '\uFEFFa;"b,c;d";e\r\n"1;2";"3,4";\r\n',
    [
      ['a', 'b,c;d', 'e'],
      ['1;2', '3,4', ''],
    ],
  ],
  [
    'a\tb\n"1\t2"\t3;4,5\n',
    [
      ['a', 'b'],
      ['1\t2', '3;4,5'],
    ],
  ],
  ['', []],
])('%j is read as rows', (text, expected) => {
  expect(parseCsv(text)).toEqual(expected);
});

test('text behind a closing quote is refused with its line', () => {
  expect(() => parseCsv('a\n"b"c')).toThrow('line 2');
});
