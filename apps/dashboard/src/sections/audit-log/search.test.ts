import { expect, test } from 'vitest';
import { auditFilterOf, readAuditSearch, readTraceId } from './search.ts';

const user = '0b7c1e5a-6a10-4c8e-9a53-5f0a2c1d3e4f';

test.each([
  [{}, {}],
  [
    { action: 'sign_in.failed', user, from: '2026-03-01', to: '2026-03-02', paused: true },
    { action: 'sign_in.failed', user, from: '2026-03-01', to: '2026-03-02', paused: true },
  ],
  [{ action: 'sign_in.exploded', user: 'ada', actor: 12, from: 'yesterday', to: '2026-13-40', paused: 'no' }, {}],
  [{ address: ' 192.0.2.1 ' }, { address: '192.0.2.1' }],
  [{ address: '2001:DB8::1' }, { address: '2001:DB8::1' }],
  [{ address: '192.0.2' }, {}],
  [{ address: '192.0.2.256' }, {}],
  [{ address: '2001:db8:' }, {}],
  [{ address: 'example.com' }, {}],
  [{ actor: ` ${user.toUpperCase()} ` }, { actor: user }],
])('the address %j is read as the filters %j of the audit log', (search, expected) => {
  expect(readAuditSearch(search)).toEqual(expected);
});

test('a range of days includes the whole last day, in the time zone of the browser', () => {
  expect(auditFilterOf({ from: '2026-02-28', to: '2026-02-28' })).toEqual({
    from: new Date(2026, 1, 28),
    to: new Date(2026, 2, 1),
  });
});

test('an address of a link is part of the filter of the SDK', () => {
  expect(auditFilterOf({ address: '192.0.2.1' })).toEqual({ address: '192.0.2.1' });
});

test.each([
  [' 0123456789ABCDEF\n', '0123456789abcdef'],
  ['0123456789abcde', undefined],
  ['0123456789abcdeu', undefined],
])('the text %j is read as the trace id %j', (text, expected) => {
  expect(readTraceId(text)).toBe(expected);
});
