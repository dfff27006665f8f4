import { RequestError } from '@tessera/client';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { CredentialSignUp, TeamInvitation } from '../../lazy/parts.tsx';
import { button, heading, known, refusal, searchParams, signedIn } from '../../test/code-pages.ts';
import { type FakeApp, fakeApp } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';

describe('team invitation', () => {
  const preview = {
    teamDisplayName: 'Analysts',
    teamProfileImageUrl: null,
    invitedBy: 'Grace Hopper',
    recipientEmail: 'joan@example.com',
    roleId: 'team_admin',
    expiresAt: new Date('2026-03-04'),
  };

  it('tells a signed-out visitor who invites to what, and in which role', async () => {
    const fake = fakeApp();
    fake.readers.user.set(null);
    fake.app.readTeamInvitation.mockResolvedValue({ status: 'ok', data: preview });
    const { container } = await show(<TeamInvitation searchParams={searchParams} fullPage />, { with: fake });
    expect(container.textContent).toContain('Grace Hopper invited you to join Analysts');
    expect(container.textContent).toContain('joan@example.com');
    expect(container.textContent).toContain('Admin');
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy();
    expect(await violations(container)).toEqual([]);
  });

  it.each(['   ', '\u200b\u2060'])('says who invites when the team name %j has no visible character', async name => {
    const fake = fakeApp();
    fake.readers.user.set(null);
    fake.app.readTeamInvitation.mockResolvedValue({ status: 'ok', data: { ...preview, teamDisplayName: name } });
    const first = await show(<TeamInvitation searchParams={searchParams} />, { with: fake });
    expect(heading().textContent).toBe("You're invited to a team");
    expect(first.container.textContent).toContain('Invited by Grace Hopper');
    expect(first.container.textContent).not.toContain('to join Role');
    first.unmount();

    const anonymous = { ...preview, teamDisplayName: name, invitedBy: null };
    fake.app.readTeamInvitation.mockResolvedValue({ status: 'ok', data: anonymous });
    const { container } = await show(<TeamInvitation searchParams={searchParams} />, { with: fake });
    expect(container.textContent).not.toContain("You're invited to join");
  });

  it('fills the invited address into the sign-up page of a signed-out visitor', async () => {
    const fake = fakeApp();
    fake.readers.user.set(null);
    fake.app.readTeamInvitation.mockResolvedValue({ status: 'ok', data: preview });
    await show(<TeamInvitation searchParams={searchParams} />, { with: fake });
    await userEvent.click(button('Create an account'));
    expect(fake.app.redirectToSignUp).toHaveBeenCalledExactlyOnceWith();
    cleanup();
    await show(<CredentialSignUp />, { with: fake });
    expect(screen.getByRole('textbox', { name: 'Email' })).toHaveProperty('value', 'joan@example.com');
    sessionStorage.clear();
  });

  it('asks a signed-in user to join, and names the account when the invitation went to another address', async () => {
    const fake = signedIn();
    fake.app.readTeamInvitation.mockResolvedValue({ status: 'ok', data: preview });
    const { app, container } = await show(<TeamInvitation searchParams={searchParams} />, { with: fake });
    expect(container.textContent).toContain("You're signed in as ada@example.com.");
    await userEvent.click(screen.getByRole('button', { name: 'Join' }));
    expect(app.acceptTeamInvitation).toHaveBeenCalledExactlyOnceWith('c0de');
    expect(app.verifyTeamInvitationCode).not.toHaveBeenCalled();
    expect(app.getTeamInvitationDetails).not.toHaveBeenCalled();
  });

  it('shows an expired invitation to a signed-out visitor', async () => {
    const fake = fakeApp();
    fake.readers.user.set(null);
    fake.app.readTeamInvitation.mockResolvedValue(refusal('VERIFICATION_CODE_EXPIRED'));
    await show(<TeamInvitation searchParams={searchParams} />, { with: fake });
    expect(screen.getByText('Ask for a new invitation.')).toBeTruthy();
  });

  it('leads signed-out visitors to sign-in or sign-up, and sends no request', async () => {
    const { app, container } = await show(<TeamInvitation searchParams={searchParams} />);
    expect(screen.getByText('Sign in or create an account to join.')).toBeTruthy();
    expect(app.verifyTeamInvitationCode).not.toHaveBeenCalled();
    expect(await violations(container)).toEqual([]);
    await userEvent.click(button('Sign in'));
    expect(app.redirectToSignIn).toHaveBeenCalledExactlyOnceWith();
    await userEvent.click(button('Create an account'));
    expect(app.redirectToSignUp).toHaveBeenCalledExactlyOnceWith();
  });

  it('control 75: shows the team name as isolated text, asks, and joins', async () => {
    const fake = signedIn();
    const teamDisplayName = '<a href="https://evil.example">فريق</a> '.repeat(8);
    fake.app.getTeamInvitationDetails.mockResolvedValue({ status: 'ok', data: { teamDisplayName } });
    const { app, container } = await show(<TeamInvitation searchParams={searchParams} fullPage />, { with: fake });
    expect(container.querySelector('a')).toBeNull();
    expect(container.querySelector('bdi')?.textContent).toBe(teamDisplayName);
    expect(app.acceptTeamInvitation).not.toHaveBeenCalled();
    expect(await violations(container)).toEqual([]);

    await userEvent.click(button('Join'));
    expect(app.acceptTeamInvitation).toHaveBeenCalledExactlyOnceWith('c0de');
    expect(heading().textContent).toBe("You've joined the team");
    await waitFor(() => expect(document.activeElement).toBe(heading()));
  });

  it.each([
    ['VERIFICATION_CODE_NOT_FOUND', "This link doesn't work"],
    ['VERIFICATION_CODE_EXPIRED', 'This link has expired'],
    ['VERIFICATION_CODE_ALREADY_USED', 'This link has already been used'],
  ])('shows %s as: %s', async (code, title) => {
    const fake = signedIn();
    fake.app.verifyTeamInvitationCode.mockResolvedValue(refusal(code));
    const { container } = await show(<TeamInvitation searchParams={searchParams} />, { with: fake });
    expect(heading().textContent).toBe(title);
    expect(await violations(container)).toEqual([]);
  });

  it.each([
    [
      'the details',
      (fake: FakeApp) => fake.app.getTeamInvitationDetails.mockResolvedValue(refusal('VERIFICATION_CODE_EXPIRED')),
      [],
    ],
    ['joining', (fake: FakeApp) => fake.app.acceptTeamInvitation.mockRejectedValue(known('TEAM_NOT_FOUND')), ['Join']],
  ])('shows the card for unknown errors when %s fail', async (_, answer, clicks) => {
    const fake = signedIn();
    answer(fake);
    await show(<TeamInvitation searchParams={searchParams} />, { with: fake });
    for (const name of clicks) await userEvent.click(button(name));
    expect(heading().textContent).toBe('Something went wrong');
  });

  it('shows members that they are in the team already', async () => {
    const fake = signedIn();
    fake.app.acceptTeamInvitation.mockRejectedValue(known('TEAM_MEMBERSHIP_ALREADY_EXISTS'));
    await show(<TeamInvitation searchParams={searchParams} />, { with: fake });
    await userEvent.click(button('Join'));
    expect(heading().textContent).toBe("You're already a member");
  });

  it('offers a retry when the server is unreachable, before and after the confirmation', async () => {
    const fake = signedIn();
    fake.app.getTeamInvitationDetails.mockRejectedValueOnce(new RequestError('unreachable', 'no'));
    fake.app.acceptTeamInvitation.mockRejectedValueOnce(new RequestError('unreachable', 'no'));
    await show(<TeamInvitation searchParams={searchParams} />, { with: fake });
    await userEvent.click(button('Try again'));
    await userEvent.click(button('Join'));
    expect(screen.getByRole('alert').textContent).toContain("We can't reach the server.");
    await userEvent.click(button('Join'));
    expect(heading().textContent).toBe("You've joined the team");
  });

  it('goes to the home page on ignore', async () => {
    const { navigate } = await show(<TeamInvitation searchParams={searchParams} />, { with: signedIn() });
    await userEvent.click(button('Ignore'));
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/');
  });
});
