import type { AuditEvent } from '@tessera/client';
import { expect, test } from 'vitest';
import { csvCell, exportFormats } from './export-file.ts';

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

test('an event has one row with as many cells as the head of the file', () => {
  const event: AuditEvent = {
    id: 'e1',
    at: new Date(0),
    action: 'sign_in.failed',
    actor: { type: 'client', id: null },
    userId: null,
    subject: null,
    address: '192.0.2.1',
    userAgent: 'curl',
    details: null,
    before: null,
    after: null,
  };
  const { head, line } = exportFormats.csv;
  expect(line(event)).toBe('1970-01-01T00:00:00.000Z,sign_in.failed,client,,,,,192.0.2.1,curl,,,,e1\r\n');
  expect(line(event).split(',')).toHaveLength(head.split(',').length);
});
