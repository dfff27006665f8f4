import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { fakeApp, user } from '../test/fake-app.ts';
import { settle, show, violations } from '../test/show.tsx';
import { refusal } from '../test/sign-in-page.ts';
import { TesseraHandler } from './handler.tsx';

const heading = () => screen.getByRole('heading', { level: 1 }).textContent;

describe('TesseraHandler', () => {
  it.each([
    ['/handler/sign-in', 'Sign in'],
    ['/handler/sign-up', 'Create your account'],
    ['/handler/sign-out', "You're signed out"],
    ['/handler/forgot-password', 'Forgot your password?'],
    ['/handler/password-reset', "This link doesn't work"],
    ['/handler/email-verification', "This link doesn't work"],
    ['/handler/magic-link-callback', "This link doesn't work"],
    ['/handler/team-invitation', "This link doesn't work"],
    ['/handler/mfa', 'No sign-in in progress'],
    ['/handler/error', 'Something went wrong'],
    ['/handler/nothing', 'Page not found'],
    ['/elsewhere', "This page isn't set up correctly"],
  ])('shows at %s: %s', async (location, title) => {
    const { container } = await show(<TesseraHandler location={location} fullPage />);
    expect(heading()).toBe(title);
    expect(await violations(container)).toEqual([]);
  });

  it.each([
    ['/handler/oauth-callback', 'Signing you in'],
    ['/handler/account-settings', 'Loading'],
    ['/handler/account-deletion', 'Loading'],
    ['/handler/cli-auth-confirm', 'Loading'],
  ])('waits at %s: %s', async (location, words) => {
    await show(<TesseraHandler location={location} fullPage />);
    expect(screen.getByRole('img', { name: words })).toBeTruthy();
  });

  it('replaces an alias by the canonical URL of the page', async () => {
    const navigate = vi.fn();
    await show(<TesseraHandler location="/handler/login" navigate={navigate} />);
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/sign-in');
  });

  it('redirects signed-in visitors', async () => {
    const fake = fakeApp();
    fake.readers.user.set(user());
    await show(<TesseraHandler location="/handler/sign-up" />, { with: fake });
    expect(fake.app.redirectToAfterSignUp).toHaveBeenCalledOnce();
  });

  it('passes props to the pages and ignores undefined ones', async () => {
    const props = { SignIn: { extraInfo: 'By signing in you agree.', automaticRedirect: undefined } };
    const fake = fakeApp();
    const { container } = await show(<TesseraHandler location="/handler/sign-in" componentProps={props} fullPage />, {
      with: fake,
    });
    expect(screen.getByText('By signing in you agree.')).toBeTruthy();
    expect(container.querySelector('.tessera-page')).not.toBeNull();
  });

  it('shows an error of a page in a card of its own, and leaves it behind on another page', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const fake = fakeApp();
    fake.app.signInWithMagicLink.mockResolvedValue(refusal('VERIFICATION_CODE_MAX_ATTEMPTS_REACHED'));
    const location = '/handler/magic-link-callback';
    window.history.replaceState(null, '', '?code=abc');
    const view = await show(<TesseraHandler location={`${location}?code=abc`} fullPage />, { with: fake });
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
    expect(view.container.querySelector('.tessera-page')).not.toBeNull();
    expect(await violations(view.container)).toEqual([]);

    view.rerender(<TesseraHandler location="/handler/forgot-password" fullPage />);
    await settle();
    expect(heading()).toBe('Forgot your password?');
    window.history.replaceState(null, '', '?');
    vi.restoreAllMocks();
  });

  it('accepts another app', async () => {
    const other = fakeApp();
    other.readers.project.forget();
    await show(<TesseraHandler app={other.app} location="/handler/error" />);
    await userEvent.click(screen.getByRole('button', { name: 'Go to the home page' }));
    expect(other.navigate).toHaveBeenCalledExactlyOnceWith('/');
  });
});
