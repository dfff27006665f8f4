import type { Team } from '@tessera/client';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { TeamCreation } from '../../../lazy/parts.tsx';
import { setReader } from '../../../test/fake-app.ts';
import { button, field, type Given, open, section, someone, team } from '../../../test/settings-page.tsx';
import { show, violations } from '../../../test/show.tsx';

describe('teams', () => {
  const rights = (...ids: string[]) => setReader<unknown>(ids.map(id => ({ id })));
  const profile = (displayName: string | null = null) =>
    setReader<unknown>({ displayName, profileImageUrl: null, update: vi.fn(async () => {}) });
  const openTeam = (mine: Team, permissions: ReturnType<typeof rights>, given: Given = {}) =>
    open(`#team-${mine.id}`, {
      ...given,
      reads: {
        listTeams: setReader<unknown>([mine]),
        listPermissions: permissions,
        getTeamProfile: profile(),
        ...given.reads,
      },
    });
  const regions = () => screen.getAllByRole('region').map(region => region.querySelector('h3')?.textContent);

  it('show a member without permissions only their own name and the leave button', async () => {
    const leaveTeam = vi.fn(async () => {});
    const { hand, container } = await openTeam(team(), rights(), { user: { leaveTeam } });
    expect(regions()).toEqual(['Your name in this team', 'Leave team']);
    expect(await violations(container)).toEqual([]);
    await hand.click(button('Leave team'));
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Leave team' }));
    expect(leaveTeam).toHaveBeenCalledOnce();
    expect(location.hash).toBe('');
  });

  it('show every section to a member with all permissions', async () => {
    const revoke = vi.fn(async () => {});
    const inviteUser = vi.fn(async () => {});
    const mine = team({ inviteUser } as never, {
      listUsers: setReader<unknown>([
        { id: 'u', teamProfile: { displayName: 'Ada', profileImageUrl: null } },
        { id: 'v', teamProfile: { displayName: null, profileImageUrl: null } },
      ]),
      listInvitations: setReader<unknown>([
        { id: 'i', recipientEmail: 'grace@example.com', expiresAt: new Date('2026-03-04'), revoke },
      ]),
      listApiKeys: setReader<unknown>([]),
    });
    const all = rights('$update_team', '$read_members', '$invite_members', '$remove_members', '$manage_api_keys');
    const { hand, container } = await openTeam(mine, all, { config: { allowTeamApiKeys: true } });
    expect(regions()).toEqual([
      'Your name in this team',
      'Team picture',
      'Team name',
      'Members',
      'Invite a member',
      'Open invitations',
      'API keys',
      'Leave team',
    ]);
    expect(section('Members').getByText('No name')).toBeTruthy();
    expect(await violations(container)).toEqual([]);

    await hand.type(section('Invite a member').getByLabelText('Email'), 'grace@example.com{Enter}');
    expect(inviteUser).toHaveBeenCalledExactlyOnceWith({ email: 'grace@example.com' });
    expect(screen.getByText('Invitation sent to grace@example.com.')).toBeTruthy();
    expect(section('Invite a member').getByLabelText('Email')).toHaveProperty('value', '');
    await hand.type(section('Invite a member').getByLabelText('Email'), 'x');
    expect(screen.queryByText(/Invitation sent/)).toBeNull();

    await hand.click(button('Revoke invitation of grace@example.com'));
    expect(revoke).toHaveBeenCalledOnce();
    await hand.click(button('Change: Team name'));
    await hand.clear(field('Team name'));
    await hand.keyboard('{Enter}');
    expect(screen.getByText('Enter a name.')).toBeTruthy();
    await hand.type(field('Team name'), 'Engineers{Enter}');
    expect(mine.update).toHaveBeenCalledExactlyOnceWith({ displayName: 'Engineers' });
  });

  it('are created, and then shown', async () => {
    const createTeam = vi.fn(async () => team({ id: 'new' }));
    const { hand, container } = await open('#team-creation', {
      config: { clientTeamCreationEnabled: true },
      user: { createTeam },
    });
    await hand.click(button('Create'));
    expect(screen.getByText('Enter a name.')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
    await hand.type(field('Team name'), ' Analysts {Enter}');
    expect(createTeam).toHaveBeenCalledExactlyOnceWith({ displayName: 'Analysts' });
    expect(location.hash).toBe('#team-new');
  });

  it('are created on a page of its own, which leads to the settings, where the project allows it', async () => {
    const createTeam = vi.fn(async () => team({ id: 'new' }));
    const fake = someone({ config: { clientTeamCreationEnabled: true }, user: { createTeam } });
    const { navigate, container, unmount } = await show(<TeamCreation fullPage />, { with: fake });
    expect(await violations(container)).toEqual([]);
    await userEvent.type(field('Team name'), 'Analysts{Enter}');
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/account-settings#team-new');
    unmount();

    await show(<TeamCreation />, { with: someone() });
    expect(screen.getByText(/can't create teams/)).toBeTruthy();
  });
});
