import { RequestError } from '@tessera/client';
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { button, open } from '../../test/settings-page.tsx';
import { violations } from '../../test/show.tsx';

describe('sessions', () => {
  const session = (fields: object) => ({
    id: 's1',
    userId: 'u',
    createdAt: new Date('2026-01-02T10:00:00Z'),
    lastUsedAt: undefined,
    isImpersonation: false,
    isCurrentSession: false,
    ...fields,
  });
  const list = () => [
    session({ isCurrentSession: true, lastUsedAt: new Date() }),
    session({
      id: 's2',
      geoInfo: { ip: '203.0.113.7', cityName: 'Turin' },
      lastUsedAt: new Date('2026-01-02T11:00:00Z'),
    }),
    session({ id: 's3', isImpersonation: true }),
  ];
  const rows = () => within(screen.getByRole('list', { name: 'Active sessions' })).getAllByRole('listitem');

  it('show place and time, and can be ended', async () => {
    const revokeSession = vi.fn(async () => {});
    const getActiveSessions = vi.fn(async () => list());
    const { hand, container } = await open('#sessions', { user: { getActiveSessions, revokeSession } as never });
    expect(getActiveSessions).toHaveBeenCalledOnce();
    expect(rows()[0]?.textContent).toContain('Just now');
    expect(rows()[1]?.textContent).toContain('Turin');
    expect(rows()[1]?.textContent).not.toContain('(');
    expect(rows()[1]?.textContent).toContain('203.0.113.7');
    expect(rows()[2]?.textContent).toContain('Impersonation');
    expect(rows()[2]?.textContent).toContain('Never');
    expect(within(rows()[0] as HTMLElement).getByRole('button')).toHaveProperty('disabled', true);
    expect(await violations(container)).toEqual([]);

    await hand.click(button('End session: Turin'));
    expect(revokeSession).toHaveBeenCalledExactlyOnceWith('s2');
    expect(rows()).toHaveLength(2);
    expect(getActiveSessions).toHaveBeenCalledOnce();
  });

  it('end all together; sessions that ended disappear from the list', async () => {
    const revokeSession = vi.fn(async (id: string) => {
      if (id === 's3') throw new RequestError('unreachable', 'no');
    });
    const { hand } = await open('#sessions', {
      user: { getActiveSessions: async () => list(), revokeSession } as never,
    });
    await hand.click(button('End all others'));
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'End all others' }));
    expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).toContain('cannot be reached');
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    expect(rows()).toHaveLength(2);
  });

  it('show why loading failed, and may be empty', async () => {
    const getActiveSessions = vi.fn(async () => [] as never);
    getActiveSessions.mockRejectedValueOnce(new RequestError('offline', 'no'));
    const { hand } = await open('#sessions', { user: { getActiveSessions } });
    expect(screen.getByRole('alert').textContent).toContain('You are offline.');
    await hand.click(button('Try again'));
    expect(screen.getByText('There are no active sessions.')).toBeTruthy();
  });
});
