import { KnownError, RequestError } from '@tessera/client';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { ForgotPassword, PasswordReset } from '../../lazy/parts.tsx';
import { button, field, heading, known, refusal, searchParams, signedIn } from '../../test/code-pages.ts';
import { type FakeApp, fakeApp } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';

const newPassword = 'violet harbour 93 lamp';

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

  it('shows who is signed in, because sign-in would redirect with that session', async () => {
    const { app, queryByRole } = await show(<PasswordReset searchParams={searchParams} />, { with: signedIn() });
    await choose();
    expect(app.resetPassword).toHaveBeenCalledOnce();
    expect(heading().textContent).toBe('Password changed');
    await waitFor(() => expect(document.activeElement).toBe(heading()));
    expect(screen.getByText("You're signed in as ada@example.com.")).toBeTruthy();
    expect(queryByRole('button', { name: 'Sign in' })).toBeNull();
    await userEvent.click(button('Sign out'));
    expect(app.signOut).toHaveBeenCalledOnce();
  });

  it('leads to sign-in when the reset has ended the session of the same account', async () => {
    const fake = signedIn();
    vi.mocked(fake.readers.user.refresh).mockImplementation(async () => {
      fake.readers.user.set(null);
      return { status: 'ok', data: null };
    });
    await show(<PasswordReset searchParams={searchParams} />, { with: fake });
    await choose();
    expect(heading().textContent).toBe('Password changed');
    expect(button('Sign in')).toBeTruthy();
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
