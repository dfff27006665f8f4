import { RequestError } from '@tessera/client';
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { button, maybeButton, open } from '../../../test/settings-page.tsx';
import { violations } from '../../../test/show.tsx';

describe('the security activity', () => {
  const event = (fields: object) => ({
    id: 'e1',
    at: new Date('2026-01-02T10:00:00Z'),
    action: 'sign_in.succeeded',
    isOwn: true,
    address: '203.0.113.7',
    device: { browser: 'Chrome 143', system: 'macOS 15.1', type: 'desktop' },
    ...fields,
  });
  const page = (events: readonly object[], nextCursor: string | null) => Object.assign([...events], { nextCursor });
  const rows = () =>
    within(screen.getByRole('list', { name: 'Security activity' }))
      .getAllByRole('listitem')
      .map(row => row.textContent);

  it('shows the newest events with the device, and earlier ones on demand', async () => {
    const getSecurityActivity = vi
      .fn()
      .mockResolvedValueOnce(page([event({}), event({ id: 'e2', action: 'factor.passkey_added', isOwn: false })], 'c1'))
      .mockResolvedValueOnce(page([event({ id: 'e3', action: 'user.created' })], null));
    const { visitor, container } = await open('#sessions', {
      user: { getSecurityActivity, getDeviceSessions: async () => [] },
    });
    expect(rows()).toEqual([
      expect.stringMatching(/^Signed in.*Chrome 143 · macOS 15\.1 · 203\.0\.113\.7$/),
      expect.stringMatching(/^Passkey added.*Done by the app$/),
    ]);
    expect(await violations(container)).toEqual([]);
    await visitor.click(button('Show more'));
    expect(getSecurityActivity.mock.calls).toEqual([[{ limit: 10 }], [{ limit: 10, cursor: 'c1' }]]);
    expect(rows()[2]).toMatch(/^Account created/);
    expect(maybeButton('Show more')).toBeNull();
  });

  it('is read again after a session was ended', async () => {
    const getSecurityActivity = vi
      .fn()
      .mockResolvedValueOnce(page([event({})], null))
      .mockResolvedValueOnce(page([event({ id: 'e2', action: 'session.ended' }), event({})], null));
    const other = { id: 's2', createdAt: new Date(), lastUsedAt: null, device: { browser: null, system: null } };
    const fields = { getSecurityActivity, getDeviceSessions: async () => [other], revokeSession: async () => {} };
    const { visitor } = await open('#sessions', { user: fields as never });
    expect(rows()).toHaveLength(1);
    await visitor.click(button(/^End session/));
    expect(rows()).toHaveLength(2);
  });

  it('keeps the list when an earlier page cannot be loaded', async () => {
    const getSecurityActivity = vi
      .fn()
      .mockResolvedValueOnce(page([event({})], 'c1'))
      .mockRejectedValueOnce(new RequestError('unreachable', 'no'));
    const { visitor } = await open('#sessions', { user: { getSecurityActivity, getDeviceSessions: async () => [] } });
    await visitor.click(button('Show more'));
    expect(screen.getByRole('alert').textContent).toContain("can't reach the server");
    expect(rows()).toHaveLength(1);
  });

  it('is left out on a server that does not have it', async () => {
    const missing = new RequestError('unexpected-answer', 'There is no such endpoint.', { status: 404 });
    await open('#sessions', { user: { getSecurityActivity: vi.fn().mockRejectedValue(missing) } });
    expect(screen.queryByRole('region', { name: 'Security activity' })).toBeNull();
  });
});
