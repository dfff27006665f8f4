import { RequestError } from '@tessera/client';
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { button, open } from '../../../test/settings-page.tsx';
import { violations } from '../../../test/show.tsx';

describe('sessions', () => {
  const session = (fields: object) => ({
    id: 's1',
    userId: 'u',
    createdAt: new Date('2026-01-02T10:00:00Z'),
    expiresAt: new Date('2027-01-02T10:00:00Z'),
    lastUsedAt: null,
    isImpersonation: false,
    isCurrentSession: false,
    device: { browser: null, system: null, type: 'other' },
    address: null,
    countryCode: null,
    geoInfo: null,
    ...fields,
  });
  const list = () => [
    session({ isCurrentSession: true, lastUsedAt: new Date() }),
    session({
      id: 's2',
      address: '203.0.113.7',
      countryCode: 'IT',
      geoInfo: { ip: '192.0.2.1', cityName: 'Bern', countryCode: 'CH' },
      device: { browser: 'Chrome 143', system: 'macOS 15.1', type: 'desktop' },
      lastUsedAt: new Date('2026-01-02T11:00:00Z'),
    }),
    session({ id: 's3', isImpersonation: true }),
    session({ id: 's4', lastUsedAt: new Date(Date.now() - 3 * 86_400_000) }),
  ];
  const rows = () => within(screen.getByRole('list', { name: 'Active sessions' })).getAllByRole('listitem');

  it('are listed and ended without devices on a server that does not know them', async () => {
    const missing = vi.fn(async () => {
      throw new RequestError('unexpected-answer', 'There is no such endpoint.', { status: 404 });
    });
    const revokeSession = vi.fn(async () => {});
    const getActiveSessions = vi.fn(async () =>
      list().map(({ device, expiresAt, address, countryCode, ...plain }) => plain),
    );
    const fields = { getDeviceSessions: missing, revokeOtherSessions: missing, getActiveSessions, revokeSession };
    const { visitor } = await open('#sessions', { user: fields as never });
    expect(rows()).toHaveLength(4);
    // Any caller of such a server chooses what it says of the place.
    expect(rows()[1]?.textContent).toContain('Unknown');
    expect(rows()[1]?.textContent).not.toMatch(/192\.0\.2\.1|Bern/);
    await visitor.click(button('End all others'));
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'End all others' }));
    expect(revokeSession.mock.calls).toEqual([['s2'], ['s3'], ['s4']]);
    expect(rows()).toHaveLength(1);
  });

  it('show the place that the server saw, and the time, and can be ended', async () => {
    const revokeSession = vi.fn(async () => {});
    const getDeviceSessions = vi.fn(async () => list());
    const { visitor, container } = await open('#sessions', { user: { getDeviceSessions, revokeSession } as never });
    expect(getDeviceSessions).toHaveBeenCalledOnce();
    expect(screen.getByText('Just now').title).toMatch(/\d/);
    expect(screen.getByText(/^3 days ago \(.*\d{4}\)$/)).toBeTruthy();
    expect(rows()[0]?.textContent).toContain('This device');
    expect(rows()[1]?.textContent).toContain('LocationItaly');
    expect(rows()[1]?.textContent).toContain('Chrome 143 · macOS 15.1');
    expect(rows()[1]?.textContent).not.toContain('This device');
    expect(rows()[2]?.textContent).toContain('Unknown device');
    expect(rows()[1]?.textContent).not.toContain('(');
    expect(rows()[1]?.textContent).toContain('203.0.113.7');
    expect(rows()[1]?.textContent).not.toMatch(/192\.0\.2\.1|Bern/);
    expect(rows()[2]?.textContent).toContain('Impersonation');
    expect(rows()[2]?.textContent).toContain('Never');
    expect(within(rows()[0] as HTMLElement).queryByRole('button')).toBeNull();
    expect(await violations(container)).toEqual([]);

    await visitor.click(button('End session: Chrome 143 · macOS 15.1, 203.0.113.7'));
    expect(revokeSession).toHaveBeenCalledExactlyOnceWith('s2');
    expect(rows()).toHaveLength(3);
    expect(getDeviceSessions).toHaveBeenCalledOnce();
  });

  it('end all together; a failed request leaves the list as it is', async () => {
    const revokeOtherSessions = vi.fn(async () => 2);
    revokeOtherSessions.mockRejectedValueOnce(new RequestError('unreachable', 'no'));
    const { visitor } = await open('#sessions', {
      user: { getDeviceSessions: async () => list(), revokeOtherSessions } as never,
    });
    await visitor.click(button('End all others'));
    const dialog = within(screen.getByRole('dialog'));
    await visitor.click(dialog.getByRole('button', { name: 'End all others' }));
    expect(dialog.getByRole('alert').textContent).toContain("can't reach the server");
    expect(rows()).toHaveLength(4);
    await visitor.click(dialog.getByRole('button', { name: 'End all others' }));
    expect(rows()).toHaveLength(1);
    expect(rows()[0]?.textContent).toContain('This device');
    expect(screen.queryByRole('button', { name: 'End all others' })).toBeNull();
  });

  it('show why loading failed, and may be empty', async () => {
    const getDeviceSessions = vi.fn(async () => [] as never);
    getDeviceSessions.mockRejectedValueOnce(new RequestError('offline', 'no'));
    const { visitor } = await open('#sessions', { user: { getDeviceSessions } });
    expect(screen.getByRole('alert').textContent).toContain("You're offline.");
    await visitor.click(button('Try again'));
    expect(screen.getByText('There are no active sessions.')).toBeTruthy();
  });
});
