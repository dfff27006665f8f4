import type { AuditEvent } from '@tessera/client';
import { expect, test } from 'vitest';
import { exportFormats } from './export-file.ts';

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
    traceId: '0123456789abcdef',
    details: null,
    before: null,
    after: null,
  };
  const { head, line } = exportFormats.csv;
  expect(line(event)).toBe(
    '1970-01-01T00:00:00.000Z,sign_in.failed,client,,,,,192.0.2.1,curl,0123456789abcdef,,,,e1\r\n',
  );
  expect(line(event).split(',')).toHaveLength(head.split(',').length);
});
