import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MFA } from '../../lazy/parts.tsx';
import { fakeApp } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';
import { button, code, heading, refusal } from '../../test/sign-in-page.ts';

describe('second factor', () => {
  beforeEach(() => sessionStorage.setItem('stack_mfa_attempt_code', 'att3mpt'));

  it('accepts six digits, deletes the attempt, and redirects', async () => {
    const { app, container } = await show(<MFA fullPage />);
    expect(heading().textContent).toBe('Two-step verification');
    expect(code().getAttribute('inputmode')).toBe('numeric');
    expect(await violations(container)).toEqual([]);
    await userEvent.keyboard('a123 456');
    expect(app.signInWithMfa).toHaveBeenCalledExactlyOnceWith('123456', 'att3mpt', { noRedirect: true });
    expect(sessionStorage.getItem('stack_mfa_attempt_code')).toBeNull();
    expect(screen.getByRole('status').textContent).toContain('Verified');
    expect(app.redirectToAfterSignIn).toHaveBeenCalledOnce();
    expect(screen.queryByLabelText(/^Six-/)).toBeNull();
  });

  it('calls the host app instead of redirecting, and offers Back only when there is a callback', async () => {
    const onSuccess = vi.fn();
    const onCancel = vi.fn();
    const { app } = await show(<MFA onSuccess={onSuccess} onCancel={onCancel} />);
    expect(screen.queryByRole('heading')).toBeNull();
    await userEvent.click(button('Cancel'));
    expect(onCancel).toHaveBeenCalledOnce();
    await userEvent.click(code());
    await userEvent.keyboard('123456');
    expect(onSuccess).toHaveBeenCalledOnce();
    expect(app.redirectToAfterSignIn).not.toHaveBeenCalled();
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  });

  it('accepts a recovery code instead, and shows why one is refused', async () => {
    const fake = fakeApp();
    fake.app.signInWithRecoveryCode.mockResolvedValueOnce(refusal('INVALID_RECOVERY_CODE'));
    const { container } = await show(<MFA fullPage />, { with: fake });
    await userEvent.click(button('Use a recovery code'));
    expect(screen.getByText(/Each works once/)).toBeTruthy();
    expect(await violations(container)).toEqual([]);
    await userEvent.click(button('Sign in'));
    expect(screen.getByRole('alert').textContent).toContain('Enter the code.');
    await userEvent.keyboard('0000-0000-0000{Enter}');
    expect(screen.getByRole('alert').textContent).toContain("isn't valid");
    await userEvent.clear(screen.getByLabelText('Recovery code'));
    await userEvent.keyboard('4f0k-9zqt-1m7c{Enter}');
    expect(fake.app.signInWithRecoveryCode).toHaveBeenLastCalledWith('4f0k-9zqt-1m7c', 'att3mpt', { noRedirect: true });
    expect(sessionStorage.getItem('stack_mfa_attempt_code')).toBeNull();
    expect(fake.app.redirectToAfterSignIn).toHaveBeenCalledOnce();
  });

  it('goes back to the app code, and offers another account', async () => {
    await show(<MFA fullPage />);
    await userEvent.click(button('Use a recovery code'));
    await userEvent.click(button('Use your authenticator app'));
    expect(code()).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Use another account' }).getAttribute('href')).toBe('/handler/sign-in');
  });

  it('keeps the attempt after a wrong code', async () => {
    const fake = fakeApp();
    fake.app.signInWithMfa.mockResolvedValueOnce(refusal('INVALID_TOTP_CODE'));
    const { container } = await show(<MFA fullPage />, { with: fake });
    await userEvent.keyboard('000000');
    expect(screen.getByRole('alert').textContent).toContain('Incorrect code.');
    expect(code()).toHaveProperty('value', '');
    expect(await violations(container)).toEqual([]);
    expect(screen.queryByRole('link', { name: 'Sign in again' })).toBeNull();
    await userEvent.keyboard('123456');
    expect(fake.app.redirectToAfterSignIn).toHaveBeenCalledOnce();
  });

  it.each(['VERIFICATION_CODE_EXPIRED', 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED'])(
    'leads back to sign-in after %s',
    async errorCode => {
      const fake = fakeApp();
      fake.app.signInWithMfa.mockResolvedValueOnce(refusal(errorCode));
      await show(<MFA fullPage />, { with: fake });
      await userEvent.keyboard('123456');
      expect(screen.getByRole('alert').textContent).toBe("That didn't work. Sign in again.");
      expect(screen.getByRole('link', { name: 'Sign in again' }).getAttribute('href')).toBe('/handler/sign-in');
    },
  );

  it('shows that there is nothing to complete', async () => {
    sessionStorage.clear();
    const { container } = await show(<MFA fullPage />);
    expect(heading().textContent).toBe('No sign-in in progress');
    expect(await violations(container)).toEqual([]);
  });
});
