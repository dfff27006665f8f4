import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signedIn } from '../../../test/signed-in.ts';
import { soon } from '../../../test/soon.ts';
import { json } from '../../../test/stub-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the security activity is read one page at a time', async () => {
  const device = { browser: 'Firefox 140', system: 'Linux', type: 'desktop' };
  const event = { id: 'e1', at_millis: 7, action: 'sign_in.failed', is_own: true, address: '203.0.113.7', device };
  const { user, server } = await signedIn({
    'GET /api/v1/extensions/security-activity': () =>
      json({ items: [event], is_paginated: true, pagination: { next_cursor: '7.e0' } }),
  });
  const page = await soon(user.getSecurityActivity({ cursor: '8.e9', limit: 1 }));
  expect([...page]).toEqual([
    { id: 'e1', at: new Date(7), action: 'sign_in.failed', isOwn: true, address: '203.0.113.7', device },
  ]);
  expect(page.nextCursor).toBe('7.e0');
  expect(server.seen.at(-1)?.path).toContain('?cursor=8.e9&limit=1');
});

test('the state of sign-in by emailed code is read', async () => {
  const { user } = await signedIn({ 'GET /api/v1/extensions/email-code': () => json({ state: 'first_use' }) });
  expect(await soon(user.getEmailCodeState())).toBe('first_use');
});

test('the data of the user is exported as it is', async () => {
  const data = { exported_at_millis: 1, account: { id: 'u1' } };
  const { user } = await signedIn({ 'POST /api/v1/extensions/data-export': () => json(data) });
  expect(await soon(user.exportData())).toEqual(data);
});
