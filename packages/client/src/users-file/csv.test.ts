import { expect, test } from 'vitest';
import { parseCsv } from './csv.ts';

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
  expect(parseCsv(text).map(({ cells }) => cells)).toEqual(expected);
});

test('each row has the line where it begins, behind cells of several lines and empty rows', () => {
  expect(parseCsv('a,b\r\n"x\r\ny",1\r\n\r\nz,2').map(({ line }) => line)).toEqual([1, 2, 5]);
});

test('text behind a closing quote is refused with its line', () => {
  expect(() => parseCsv('a\n"b"c')).toThrow('line 2 has text after a closing quote');
  expect(() => parseCsv('a\n"b\nc"\n"d"e')).toThrow('line 4');
});
