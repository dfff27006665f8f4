import { internals, KnownError, RequestError } from '@tessera/client';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Component, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CliAuthConfirmation,
  CredentialSignUp,
  ForgotPassword,
  MagicLinkCallback,
  PasswordReset,
  TeamInvitation,
} from '../../lazy/parts.tsx';
import { type FakeApp, fakeApp, user } from '../../test/fake-app.ts';
import { settle, show, violations } from '../../test/show.tsx';

const searchParams = { code: 'c0de' };
const heading = () => screen.getByRole('heading', { level: 1 });
const button = (name: string) => screen.getByRole('button', { name });
const field = (name: string) => screen.getByLabelText(name, { selector: 'input' });
const newPassword = 'violet harbour 93 lamp';

function known(code: string): never {
  return KnownError.fromJson({ code }) as never;
}

function refusal(code: string): never {
  return { status: 'error', error: known(code) } as never;
}

class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <p>caught {(error as KnownError).errorCode}</p>;
  }
}

function signedIn(): FakeApp {
  const fake = fakeApp();
  fake.readers.user.set(user());
  return fake;
}

describe('password reset', () => {
  async function choose(password = newPassword) {
    const visitor = userEvent.setup();
    if (password) await visitor.type(field('New password'), password);
    await visitor.click(button('Save password'));
    return visitor;
  }

  /** Requests a link in this browser. @returns its query. */
  async function requestLink(email: string) {
    const { app, unmount } = await show(<ForgotPassword />);
    await userEvent.clear(field('Email'));
    await userEvent.type(field('Email'), `${email}{Enter}`);
    unmount();
    const callbackUrl = app.sendForgotPasswordEmail.mock.calls[0]?.[1]?.callbackUrl ?? '';
    return { ...searchParams, ...Object.fromEntries(new URL(callbackUrl).searchParams) };
  }

  it('signs in with the new password when the link was requested in this browser', async () => {
    const link = await requestLink('ada@example.com');
    const { app } = await show(<PasswordReset searchParams={link} />);
    await choose();
    expect(app.signInWithCredential).toHaveBeenCalledExactlyOnceWith({
      email: 'ada@example.com',
      password: newPassword,
    });
    expect(localStorage.getItem('tessera.reset-address.p')).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Password changed' })).toBeNull();
  });

  it('leads to sign-in when the sign-in after the reset is refused', async () => {
    const link = await requestLink('eve@example.com');
    const fake = fakeApp();
    fake.app.signInWithCredential.mockResolvedValue({
      status: 'error',
      error: KnownError.fromJson({ code: 'EMAIL_PASSWORD_MISMATCH' }),
    } as never);
    await show(<PasswordReset searchParams={link} />, { with: fake });
    await choose();
    expect(heading().textContent).toBe('Password changed');
    localStorage.removeItem('_STACK_AUTH.lastUsed');
  });

  it('checks the link once, asks for a new password, and leads to sign-in without Back', async () => {
    const { app, container } = await show(<PasswordReset searchParams={searchParams} fullPage />);
    expect(app.verifyPasswordResetCode).toHaveBeenCalledExactlyOnceWith('c0de');
    expect(field('New password').getAttribute('autocomplete')).toBe('new-password');
    expect(await violations(container)).toEqual([]);

    await choose();
    expect(app.resetPassword).toHaveBeenCalledExactlyOnceWith({ code: 'c0de', password: newPassword });
    expect(heading().textContent).toBe('Password changed');
    await waitFor(() => expect(document.activeElement).toBe(heading()));
    expect(await violations(container)).toEqual([]);
    await userEvent.click(button('Sign in'));
    expect(app.redirectToSignIn).toHaveBeenCalledExactlyOnceWith({ noRedirectBack: true });
  });

  it('carries the address that the link was requested for, for password managers, until it is used', async () => {
    const link = await requestLink('ada@example.com');
    const { container } = await show(<PasswordReset searchParams={link} />);
    const userName = container.querySelector('input[autocomplete=username]');
    expect(userName).toHaveProperty('value', 'ada@example.com');
    expect(userName).toHaveProperty('hidden', true);
    await choose();
    expect(JSON.stringify({ ...localStorage })).not.toContain('ada@example.com');
  });

  it('carries no address when another link was requested later, and does not sign in', async () => {
    const link = await requestLink('ada@example.com');
    await requestLink('bob@example.com');
    const { app, container } = await show(<PasswordReset searchParams={link} />);
    expect(container.querySelector('input[autocomplete=username]')).toBeNull();
    await choose();
    expect(heading().textContent).toBe('Password changed');
    expect(app.signInWithCredential).not.toHaveBeenCalled();
  });

  it.each([
    ['', 'Choose a password.'],
    ['short', 'Use at least 8 characters.'],
  ])('refuses %j before sending, and removes the error when the field changes', async (password, sentence) => {
    const { app } = await show(<PasswordReset searchParams={searchParams} />);
    const visitor = await choose(password);
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(app.resetPassword).not.toHaveBeenCalled();
    await visitor.type(field('New password'), 'x');
    expect(screen.queryByText(sentence)).toBeNull();
  });

  it.each([
    ['VERIFICATION_CODE_NOT_FOUND', "This link doesn't work"],
    ['SCHEMA_ERROR', "This link doesn't work"],
    ['VERIFICATION_CODE_EXPIRED', 'This link has expired'],
    ['VERIFICATION_CODE_ALREADY_USED', 'This link has already been used'],
  ])('shows %s as: %s, and where to get another', async (code, title) => {
    const fake = fakeApp();
    if (code === 'SCHEMA_ERROR') fake.app.verifyPasswordResetCode.mockRejectedValue(known(code));
    else fake.app.verifyPasswordResetCode.mockResolvedValue(refusal(code));
    const { container, navigate } = await show(<PasswordReset searchParams={searchParams} />, { with: fake });
    expect(heading().textContent).toBe(title);
    expect(await violations(container)).toEqual([]);
    await userEvent.click(button('Request a new link'));
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/forgot-password');
  });

  it('shows that a link without a code does not work, and sends no request', async () => {
    const { app } = await show(<PasswordReset searchParams={{}} />);
    expect(heading().textContent).toBe("This link doesn't work");
    expect(app.verifyPasswordResetCode).not.toHaveBeenCalled();
  });

  it('shows that it is checking, and offers a retry when the server is unreachable', async () => {
    const fake = fakeApp();
    fake.app.verifyPasswordResetCode.mockRejectedValueOnce(new RequestError('offline', 'no net'));
    const { container } = await show(<PasswordReset searchParams={searchParams} />, { with: fake });
    expect(screen.getByRole('alert').textContent).toContain("You're offline.");
    expect(await violations(container)).toEqual([]);
    await userEvent.click(button('Try again'));
    expect(heading().textContent).toBe('Choose a new password');

    const slow = fakeApp();
    slow.app.verifyPasswordResetCode.mockReturnValue(new Promise(() => {}));
    await show(<PasswordReset searchParams={searchParams} />, { with: slow });
    expect(screen.getByRole('img', { name: 'Checking the link' })).toBeTruthy();
  });

  it.each([
    [
      'returned',
      (fake: FakeApp) => fake.app.resetPassword.mockResolvedValue(refusal('VERIFICATION_CODE_EXPIRED')),
      /may have expired/,
    ],
    [
      'thrown',
      (fake: FakeApp) => fake.app.resetPassword.mockRejectedValue(known('PASSWORD_REQUIREMENTS_NOT_MET')),
      /too easy to guess/,
    ],
  ])('says that a reset failed whose refusal was %s', async (_, answer, words) => {
    const fake = fakeApp();
    answer(fake);
    await show(<PasswordReset searchParams={searchParams} />, { with: fake });
    await choose();
    expect(heading().textContent).toBe('Password not changed');
    expect(screen.getByText(words)).toBeTruthy();
  });

  it('keeps the typed password when the server is unreachable', async () => {
    const fake = fakeApp();
    fake.app.resetPassword.mockRejectedValueOnce(new RequestError('unreachable', 'no answer'));
    await show(<PasswordReset searchParams={searchParams} />, { with: fake });
    await choose();
    expect(screen.getByRole('alert').textContent).toContain("We can't reach the server.");
    expect(field('New password')).toHaveProperty('value', newPassword);
    await userEvent.click(button('Save password'));
    expect(heading().textContent).toBe('Password changed');
  });
});

describe('magic link', () => {
  it('asks first, then signs in, and shows nothing new while the client redirects', async () => {
    const { app, container, readers } = await show(<MagicLinkCallback searchParams={searchParams} />);
    expect(heading().textContent).toBe('Sign in on this browser?');
    expect(app.signInWithMagicLink).not.toHaveBeenCalled();
    expect(await violations(container)).toEqual([]);

    app.signInWithMagicLink.mockImplementation(async () => {
      readers.user.set(user());
      return { status: 'ok', data: undefined };
    });
    await userEvent.click(button('Sign in'));
    expect(app.signInWithMagicLink).toHaveBeenCalledExactlyOnceWith('c0de');
    expect(heading().textContent).toBe("You're signed in");
    await waitFor(() => expect(document.activeElement).toBe(heading()));
  });

  it.each([
    ['VERIFICATION_CODE_NOT_FOUND', "This link doesn't work"],
    ['VERIFICATION_CODE_EXPIRED', 'This link has expired'],
    ['VERIFICATION_CODE_ALREADY_USED', 'This link has already been used'],
  ])('shows %s as: %s, and leads to sign-in', async (code, title) => {
    const fake = fakeApp();
    fake.app.signInWithMagicLink.mockResolvedValue(refusal(code));
    const { navigate, container } = await show(<MagicLinkCallback searchParams={searchParams} />, { with: fake });
    await userEvent.click(button('Sign in'));
    expect(heading().textContent).toBe(title);
    expect(await violations(container)).toEqual([]);
    await userEvent.click(button('Sign in'));
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/sign-in');
  });

  it('ends the wait of this tab for the code of the email', async () => {
    sessionStorage.setItem(
      'tessera.mailed-code.p',
      JSON.stringify({ email: 'a@b.example', nonce: 'n', sentAtMillis: 1 }),
    );
    await show(<MagicLinkCallback searchParams={searchParams} />);
    await userEvent.click(button('Sign in'));
    expect(sessionStorage.getItem('tessera.mailed-code.p')).toBeNull();
  });

  it('shows signed-in visitors that they are signed in', async () => {
    const { app } = await show(<MagicLinkCallback searchParams={searchParams} />, { with: signedIn() });
    expect(heading().textContent).toBe("You're signed in");
    expect(app.signInWithMagicLink).not.toHaveBeenCalled();
  });

  it('goes to the home page on cancel', async () => {
    const { navigate } = await show(<MagicLinkCallback searchParams={searchParams} />);
    await userEvent.click(button('Cancel'));
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/');
  });

  it('waits for the user, and offers a retry', async () => {
    const fake = fakeApp();
    fake.readers.user.forget();
    await show(<MagicLinkCallback searchParams={searchParams} />, { with: fake });
    expect(screen.getByRole('img', { name: 'Loading' })).toBeTruthy();
    await act(async () => fake.readers.user.fail(new RequestError('unreachable', 'no')));
    await userEvent.click(button('Try again'));
    expect(fake.readers.user.refresh).toHaveBeenCalledOnce();
  });
});

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

describe('CLI confirmation', () => {
  beforeEach(() => history.replaceState(null, '', '?login_code=l0gin'));
  afterEach(() => history.replaceState(null, '', '/'));

  it('warns, then passes the session to the command line', async () => {
    const { app, container } = await show(<CliAuthConfirmation />, { with: signedIn() });
    expect(heading().textContent).toBe('Authorize command-line sign-in?');
    expect(screen.getByRole('note').textContent).toContain('only if you started this yourself');
    expect(await violations(container)).toEqual([]);

    await userEvent.click(button('Authorize'));
    expect(app[internals].sendRequest).toHaveBeenCalledExactlyOnceWith('/auth/cli/complete', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ login_code: 'l0gin', refresh_token: 'r' }),
    });
    expect(heading().textContent).toBe("You're signed in on the command line");
    expect(await violations(container)).toEqual([]);
    const close = vi.spyOn(window, 'close').mockReturnValue();
    await userEvent.click(button('Close'));
    expect(close).toHaveBeenCalledOnce();
  });

  it('declines the login at the server, and says that the program was not signed in', async () => {
    const { app, container } = await show(<CliAuthConfirmation />, { with: signedIn() });
    await userEvent.click(button('Cancel'));
    expect(app[internals].sendRequest).toHaveBeenCalledExactlyOnceWith('/extensions/cli-logins/decline', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ login_code: 'l0gin' }),
    });
    expect(heading().textContent).toBe('Command-line sign-in declined');
    expect(screen.getByText(/was not signed in/)).toBeTruthy();
    expect(await violations(container)).toEqual([]);
  });

  it('says that a declined program was not signed in, although the server cannot end the login', async () => {
    const fake = signedIn();
    fake.app[internals].sendRequest.mockRejectedValue(new RequestError('unreachable', 'no'));
    await show(<CliAuthConfirmation />, { with: fake });
    await userEvent.click(button('Cancel'));
    expect(heading().textContent).toBe('Command-line sign-in declined');
    expect(screen.getByText(/still waits, stop it with Ctrl-C/)).toBeTruthy();
  });

  it('redirects signed-out visitors to sign-in, which leads back here', async () => {
    const { app } = await show(<CliAuthConfirmation />);
    expect(app.redirectToSignIn).toHaveBeenCalledExactlyOnceWith({ replace: true });
    expect(screen.getByRole('img', { name: 'Loading' })).toBeTruthy();
  });

  const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent);

  it('shows at once that a link without a code does not work', async () => {
    history.replaceState(null, '', '?');
    const { container } = await show(<CliAuthConfirmation />, { with: signedIn() });
    expect(heading().textContent).toBe("This link doesn't work");
    expect(screen.getByText(/has no sign-in code/)).toBeTruthy();
    expect(buttons()).toEqual(['Close']);
    expect(await violations(container)).toEqual([]);
  });

  it('shows that a code that the server refuses does not work, without a retry', async () => {
    const fake = signedIn();
    fake.app[internals].sendRequest.mockRejectedValue(new RequestError('unexpected-answer', 'no', { status: 400 }));
    await show(<CliAuthConfirmation />, { with: fake });
    await userEvent.click(button('Authorize'));
    expect(heading().textContent).toBe("This link doesn't work");
    expect(screen.getByText(/has expired or was already used/)).toBeTruthy();
    expect(buttons()).toEqual(['Close']);
  });

  it.each([
    ['an absent server', new RequestError('unreachable', 'no')],
    ['a limit of the server', new RequestError('unexpected-answer', 'no', { status: 429 })],
  ])('goes back to the question after %s', async (_, error) => {
    const fake = signedIn();
    fake.app[internals].sendRequest.mockRejectedValue(error);
    await show(<CliAuthConfirmation />, { with: fake });
    await userEvent.click(button('Authorize'));
    expect(heading().textContent).toBe('Command-line sign-in failed');
    await userEvent.click(button('Try again'));
    expect(heading().textContent).toBe('Authorize command-line sign-in?');
  });

  it('passes no session on inside a page of another site, which could lead the click of the user here', async () => {
    vi.spyOn(window, 'top', 'get').mockReturnValue({} as Window & typeof globalThis);
    const { app, container } = await show(<CliAuthConfirmation />, { with: signedIn() });
    await userEvent.click(button('Authorize'));
    expect(app[internals].sendRequest).not.toHaveBeenCalled();
    expect(screen.getByText("CLI doesn't work inside another page.")).toBeTruthy();
    expect(await violations(container)).toEqual([]);
    vi.restoreAllMocks();
  });

  it('needs a session with a refresh token', async () => {
    const fake = fakeApp();
    const currentSession = { getTokens: async () => ({ accessToken: 'a', refreshToken: null }) };
    fake.readers.user.set(user({ currentSession }));
    await show(<CliAuthConfirmation />, { with: fake });
    await userEvent.click(button('Authorize'));
    expect(screen.getByText(/can't be shared/)).toBeTruthy();
  });
});

describe('errors without a card of their own', () => {
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
  afterEach(() => void vi.restoreAllMocks());

  const code = 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED';
  it.each([
    [
      'password reset',
      PasswordReset,
      (fake: FakeApp) => fake.app.verifyPasswordResetCode.mockResolvedValue(refusal(code)),
      undefined,
    ],
    [
      'magic link',
      MagicLinkCallback,
      (fake: FakeApp) => fake.app.signInWithMagicLink.mockResolvedValue(refusal(code)),
      'Sign in',
    ],
  ])('of the %s reach the error boundary', async (_, Page, answer, click) => {
    const fake = fakeApp();
    answer(fake);
    await show(
      <Boundary>
        <Page searchParams={searchParams} />
      </Boundary>,
      { with: fake },
    );
    if (click) await userEvent.click(button(click));
    await settle();
    expect(screen.getByText(`caught ${code}`)).toBeTruthy();
  });

  it('reach the error boundary from the team invitation too', async () => {
    const fake = signedIn();
    fake.app.verifyTeamInvitationCode.mockResolvedValue(refusal(code));
    await show(
      <Boundary>
        <TeamInvitation searchParams={searchParams} />
      </Boundary>,
      { with: fake },
    );
    expect(screen.getByText(`caught ${code}`)).toBeTruthy();
  });
});
