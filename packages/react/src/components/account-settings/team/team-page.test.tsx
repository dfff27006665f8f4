import { type CurrentUser, RequestError, type Team } from '@tessera/client';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { TeamCreation } from '../../../lazy/parts.tsx';
import { deferred } from '../../../test/deferred.ts';
import { setReader } from '../../../test/fake-app.ts';
import { button, field, type Given, open, section, signedInApp, team } from '../../../test/settings-page.tsx';
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
    const { visitor, container } = await openTeam(team(), rights(), { user: { leaveTeam } });
    expect(regions()).toEqual(['Your name in this team', 'Leave team']);
    expect(await violations(container)).toEqual([]);
    await visitor.click(button('Leave team'));
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Leave team' }));
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
    const { visitor, container } = await openTeam(mine, all, { config: { allowTeamApiKeys: true } });
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

    await visitor.type(section('Invite a member').getByLabelText('Email'), 'grace@example.com{Enter}');
    expect(inviteUser).toHaveBeenCalledExactlyOnceWith({ email: 'grace@example.com' });
    expect(screen.getByText('Invitation sent to grace@example.com.')).toBeTruthy();
    expect(section('Invite a member').getByLabelText('Email')).toHaveProperty('value', '');
    await visitor.type(section('Invite a member').getByLabelText('Email'), 'x');
    expect(screen.queryByText(/Invitation sent/)).toBeNull();

    await visitor.click(button('Revoke invitation of grace@example.com'));
    expect(revoke).toHaveBeenCalledOnce();
    await visitor.click(button('Change: Team name'));
    await visitor.clear(field('Team name'));
    await visitor.keyboard('{Enter}');
    expect(screen.getByText('Enter a name.')).toBeTruthy();
    await visitor.type(field('Team name'), 'Engineers{Enter}');
    expect(mine.update).toHaveBeenCalledExactlyOnceWith({ displayName: 'Engineers' });
  });

  const ada = { userId: 'u', displayName: 'Ada', primaryEmail: 'ada@example.com', roleIds: ['team_admin'] };
  const grace = { userId: 'v', displayName: 'Grace', primaryEmail: 'grace@example.com', roleIds: ['team_member'] };
  const roles = [
    { id: 'team_admin', description: null, isAssignable: true },
    { id: 'team_member', description: null, isAssignable: true },
  ];
  const page = (fields: object = {}) => ({
    items: [ada, grace].map(member => ({ ...member, profileImageUrl: null, joinedAt: new Date(0) })),
    nextCursor: null,
    roles,
    needsSuccessor: false,
    ...fields,
  });
  const managed = (fields: object = {}) => {
    const management = {
      getMembers: vi.fn(async () => page()),
      changeMemberRole: vi.fn(async () => {}),
      removeMember: vi.fn(async () => {}),
      getOpenInvitations: vi.fn(async () => []),
      revokeInvitation: vi.fn(async () => {}),
      inviteMember: vi.fn(async () => {}),
      ...fields,
    };
    return { management, user: { manageTeam: () => management } as unknown as Partial<CurrentUser> };
  };
  const everything = () => rights('$delete_team', '$invite_members', '$read_members', '$remove_members');

  it('change the role of a member, and remove one after a confirmation', async () => {
    const { management, user } = managed();
    const { visitor, container } = await openTeam(team(), everything(), { user });
    expect(section('Members').getByText('grace@example.com')).toBeTruthy();
    expect(section('Members').queryByLabelText('Role of Ada')).toBeNull();
    expect(await violations(container)).toEqual([]);
    await visitor.selectOptions(section('Members').getByLabelText('Role of Grace'), 'Admin');
    expect(management.changeMemberRole).toHaveBeenCalledExactlyOnceWith('v', 'team_admin');
    await visitor.click(button('Remove Grace'));
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(management.removeMember).toHaveBeenCalledExactlyOnceWith('v');
    expect(management.getMembers).toHaveBeenCalledTimes(3);
  });

  it('show the chosen role while it is saved, and the present one after a refusal', async () => {
    let refuse: (because: Error) => void = () => undefined;
    const changeMemberRole = () =>
      new Promise<void>((_, reject) => {
        refuse = reject;
      });
    const { visitor } = await openTeam(team(), everything(), { user: managed({ changeMemberRole }).user });
    const role = section('Members').getByLabelText('Role of Grace');
    await visitor.selectOptions(role, 'Admin');
    expect(role).toHaveProperty('value', 'team_admin');
    await act(async () => refuse(new RequestError('unreachable', 'no')));
    expect(role).toHaveProperty('value', 'team_member');
    expect(screen.getByRole('alert').textContent).toContain("can't reach the server");
  });

  it('keep the newest list of two role changes, whose lists are read one after the other', async () => {
    const joan = { ...grace, userId: 'w', displayName: 'Joan', primaryEmail: 'joan@example.com' };
    const asAdmin = { roleIds: ['team_admin'] };
    const lists: ((list: unknown) => void)[] = [];
    const getMembers = vi.fn(() => new Promise(resolve => lists.push(resolve)));
    const opening = openTeam(team(), everything(), { user: managed({ getMembers }).user });
    await vi.waitFor(() => expect(lists).toHaveLength(1));
    lists[0]?.(page({ items: [ada, grace, joan] }));
    const { visitor } = await opening;
    const roleOf = (name: string) => section('Members').findByLabelText(`Role of ${name}`);
    await visitor.selectOptions(await roleOf('Grace'), 'Admin');
    await visitor.selectOptions(await roleOf('Joan'), 'Admin');
    expect(lists).toHaveLength(2);
    await act(async () => lists[1]?.(page({ items: [ada, { ...grace, ...asAdmin }, joan] })));
    expect(lists).toHaveLength(3);
    await act(async () => lists[2]?.(page({ items: [ada, { ...grace, ...asAdmin }, { ...joan, ...asAdmin }] })));
    expect([await roleOf('Grace'), await roleOf('Joan')]).toMatchObject([
      { value: 'team_admin' },
      { value: 'team_admin' },
    ]);
  });

  it('show a removal and a new role also when the members cannot be read again', async () => {
    const joan = { ...grace, userId: 'w', displayName: 'Joan', primaryEmail: 'joan@example.com' };
    const getMembers = vi
      .fn(async () => Promise.reject(new RequestError('unreachable', 'no')))
      .mockResolvedValueOnce(page({ items: [ada, grace, joan] }) as never);
    const { visitor } = await openTeam(team(), everything(), { user: managed({ getMembers }).user });
    await visitor.selectOptions(section('Members').getByLabelText('Role of Joan'), 'Admin');
    await visitor.click(button('Remove Grace'));
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(section('Members').getAllByRole('listitem')).toHaveLength(2);
    expect(section('Members').getByLabelText('Role of Joan')).toHaveProperty('value', 'team_admin');
  });

  it('keep the members of later pages after a removal', async () => {
    const joan = { ...grace, userId: 'w', displayName: 'Joan', primaryEmail: 'joan@example.com' };
    const edsger = { ...grace, userId: 'x', displayName: 'Edsger', primaryEmail: 'edsger@example.com' };
    const getMembers = vi
      .fn<(options?: { cursor?: string }) => Promise<object>>()
      .mockResolvedValueOnce(page({ items: [ada, grace], nextCursor: 'v' }))
      .mockResolvedValueOnce(page({ items: [joan, edsger] }))
      .mockResolvedValueOnce(page({ items: [ada, joan], nextCursor: 'w' }));
    const { visitor } = await openTeam(team(), everything(), { user: managed({ getMembers }).user });
    await visitor.click(section('Members').getByRole('button', { name: 'Show more' }));
    await visitor.click(button('Remove Grace'));
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    const names = section('Members')
      .getAllByRole('listitem')
      .map(row => row.querySelector('bdi')?.textContent);
    expect(names).toEqual(['Ada', 'Joan', 'Edsger']);
    expect(section('Members').queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('show the roles to a member who may only read them', async () => {
    const { user } = managed();
    await openTeam(team(), rights('$read_members'), { user });
    expect(regions()).toEqual(['Your name in this team', 'Members', 'Leave team']);
    expect(section('Members').getByText('Admin')).toBeTruthy();
    expect(section('Members').queryByRole('combobox')).toBeNull();
    expect(section('Members').queryByRole('button')).toBeNull();
  });

  it('invite with a role, and list the open invitations again', async () => {
    const invitation = { id: 'i', recipientEmail: 'joan@example.com', roleId: 'team_admin', invitedBy: 'Ada' };
    const getOpenInvitations = vi
      .fn<() => Promise<object[]>>()
      .mockResolvedValueOnce([])
      .mockResolvedValue([{ ...invitation, expiresAt: new Date('2026-03-04') }]);
    const { management, user } = managed({ getOpenInvitations });
    const { visitor } = await openTeam(team(), everything(), { user });
    await visitor.type(section('Invite a member').getByLabelText('Email'), 'joan@example.com');
    await visitor.selectOptions(section('Invite a member').getByLabelText('Role'), 'Admin');
    await visitor.click(button('Invite'));
    expect(management.inviteMember).toHaveBeenCalledExactlyOnceWith({
      email: 'joan@example.com',
      roleId: 'team_admin',
    });
    expect(section('Open invitations').getByText(/Invited by Ada/)).toBeTruthy();
    await visitor.click(button('Revoke invitation of joan@example.com'));
    expect(management.revokeInvitation).toHaveBeenCalledExactlyOnceWith('i');
    expect(section('Open invitations').getByText('No open invitations')).toBeTruthy();
  });

  it('keep the address that is typed while an invitation is sent', async () => {
    const sent = deferred<void>();
    const { user } = managed({ inviteMember: () => sent.promise });
    const { visitor } = await openTeam(team(), everything(), { user });
    const email = () => section('Invite a member').getByLabelText('Email');
    await visitor.type(email(), 'joan@example.com{Enter}');
    await visitor.clear(email());
    await visitor.type(email(), 'edsger@example.com');
    await act(async () => sent.resolve());
    expect(screen.getByText('Invitation sent to joan@example.com.')).toBeTruthy();
    expect(email()).toHaveProperty('value', 'edsger@example.com');
  });

  it('empty the form of a sent invitation, and keep the focus in it', async () => {
    const { user } = managed();
    const { visitor } = await openTeam(team(), everything(), { user });
    const email = section('Invite a member').getByLabelText('Email');
    await visitor.type(email, 'joan@example.com{Enter}');
    expect(email).toHaveProperty('value', '');
    expect(document.activeElement).toBe(email);
  });

  it('ask the last admin for a successor', async () => {
    const { management, user } = managed({ getMembers: vi.fn(async () => page({ needsSuccessor: true })) });
    const { visitor, container } = await openTeam(team(), everything(), { user });
    expect(section('Leave team').getByText(/last admin/)).toBeTruthy();
    await visitor.click(button('Leave team'));
    expect(await violations(container)).toEqual([]);
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getByRole('button', { name: 'Leave team' })).toHaveProperty('disabled', true);
    await visitor.selectOptions(dialog.getByLabelText('New admin'), 'Grace');
    await visitor.click(dialog.getByRole('button', { name: 'Leave team' }));
    expect(management.removeMember).toHaveBeenCalledExactlyOnceWith('u', { successorUserId: 'v' });
  });

  it('delete the team after a confirmation', async () => {
    const remove = vi.fn(async () => {});
    const { user } = managed();
    const { visitor } = await openTeam(team({ delete: remove }), everything(), { user });
    await visitor.click(button('Delete team'));
    const dialog = within(screen.getByRole('dialog'));
    await visitor.click(dialog.getByRole('checkbox'));
    await visitor.click(dialog.getByRole('button', { name: 'Delete team' }));
    expect(remove).toHaveBeenCalledOnce();
    expect(location.hash).toBe('');
  });

  it('are created, and then shown', async () => {
    const createTeam = vi.fn(async () => team({ id: 'new' }));
    const { visitor, container } = await open('#team-creation', {
      config: { clientTeamCreationEnabled: true },
      user: { createTeam },
    });
    await visitor.click(button('Create'));
    expect(screen.getByText('Enter a name.')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
    await visitor.type(field('Team name'), ' Analysts {Enter}');
    expect(createTeam).toHaveBeenCalledExactlyOnceWith({ displayName: 'Analysts' });
    expect(location.hash).toBe('#team-new');
  });

  it('are created on a page of its own, which leads to the settings, where the project allows it', async () => {
    const createTeam = vi.fn(async () => team({ id: 'new' }));
    const fake = signedInApp({ config: { clientTeamCreationEnabled: true }, user: { createTeam } });
    const { navigate, container, unmount } = await show(<TeamCreation fullPage />, { with: fake });
    expect(await violations(container)).toEqual([]);
    await userEvent.type(field('Team name'), 'Analysts{Enter}');
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/account-settings#team-new');
    unmount();

    await show(<TeamCreation />, { with: signedInApp() });
    expect(screen.getByText(/can't create teams/)).toBeTruthy();
  });
});
