import type { AuditEvent } from '@tessera/client';
import { expect, test } from 'vitest';
import { exportFormats } from './export-file.ts';

const event: AuditEvent = {
  id: 'e1',
  at: new Date(0),
  action: 'sign_in.failed',
  actor: { type: 'client', id: null, user: null },
  userId: null,
  user: null,
  subject: null,
  address: '192.0.2.1',
  userAgent: 'curl',
  traceId: '0123456789abcdef',
  details: null,
  before: null,
  after: null,
};

test('an event has one row with as many cells as the head of the file', () => {
  const { head, line } = exportFormats.csv;
  expect(line(event)).toBe(
    '1970-01-01T00:00:00.000Z,sign_in.failed,client,,,,,192.0.2.1,curl,0123456789abcdef,,,,e1\r\n',
  );
  expect(line(event).split(',')).toHaveLength(head.split(',').length);
});

test('a line of JSON has the ids of the users, without the names that an export does not have', () => {
  const exported = JSON.parse(exportFormats.lines.line(event));
  expect(exported).toMatchObject({ id: 'e1', userId: null });
  expect(exported).not.toHaveProperty('user');
  expect(exported.actor).toEqual({ type: 'client', id: null });
});
