import { RequestError } from '@tessera/client';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { OAuthButton, OAuthButtonGroup, OAuthCallback } from '../../lazy/parts.tsx';
import { fakeApp, project } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';
import { button, everything, known, offering, showPage } from '../../test/sign-in-page.ts';

describe('provider buttons', () => {
  it('redirect once, and are busy meanwhile', async () => {
    const { app, container } = await show(<OAuthButton provider="github" type="sign-in" />);
    await userEvent.click(button('Sign in with GitHub'));
    await userEvent.click(button('Sign in with GitHub'));
    expect(app.signInWithOAuth).toHaveBeenCalledExactlyOnceWith('github');
    expect(localStorage.getItem('_STACK_AUTH.lastUsed')).toBeNull();
    expect(button('Sign in with GitHub').getAttribute('aria-busy')).toBe('true');
    expect(await violations(container)).toEqual([]);

    // The end of a load that a click preceded.
    await showPage(false);
    expect(button('Sign in with GitHub').getAttribute('aria-busy')).toBe('true');
    // After the Back button of the browser the page is as before.
    await showPage(true);
    expect(button('Sign in with GitHub').getAttribute('aria-busy')).toBeNull();
  });

  it('store the provider as the last used one when its sign-in is completed', async () => {
    const leaving = await show(<OAuthButton provider="github" type="sign-in" />);
    await userEvent.click(button('Sign in with GitHub'));
    leaving.unmount();

    const { app } = await show(<OAuthCallback />);
    expect(app.callOAuthCallback).toHaveBeenCalledOnce();
    expect(localStorage.getItem('_STACK_AUTH.lastUsed')).toBe('github');
  });

  it('of more than three providers show their names only, and are still named in full', async () => {
    const oauthProviders = ['google', 'github', 'x', 'apple'].map(id => ({ id }));
    await show(<OAuthButtonGroup type="sign-in" />, { with: offering({ oauthProviders }) });
    expect(screen.getAllByRole('button').map(element => element.textContent)).toEqual([
      'Google',
      'GitHub',
      'X',
      'Apple',
    ]);
    expect(button('Sign in with Apple')).toBeTruthy();
  });

  it('say why they could not be loaded, and load again', async () => {
    const fake = fakeApp();
    fake.readers.project.fail(new RequestError('unreachable', 'no'));
    const { container } = await show(<OAuthButtonGroup type="sign-in" />, { with: fake });
    expect(screen.getByRole('alert').textContent).toContain("can't reach the server");
    expect(await violations(container)).toEqual([]);
    await userEvent.click(button('Try again'));
    expect(fake.readers.project.refresh).toHaveBeenCalledOnce();
    await act(async () => fake.readers.project.set(project({ oauthProviders: [{ id: 'github' }] })));
    expect(button('Sign in with GitHub')).toBeTruthy();
  });

  it('mark the last used provider, except in demonstrations', async () => {
    localStorage.setItem('_STACK_AUTH.lastUsed', 'github');
    const fake = offering(everything);
    const view = await show(<OAuthButtonGroup type="sign-up" />, { with: fake });
    expect(screen.getAllByRole('button').map(element => element.textContent)).toEqual([
      'Sign up with Google',
      'Sign up with GitHub Last used',
      'Sign up with acme',
    ]);
    view.unmount();

    const mockProject = { config: everything };
    const { app } = await show(<OAuthButtonGroup type="sign-in" mockProject={mockProject} />);
    expect(screen.queryByText('Last used')).toBeNull();
    await userEvent.click(button('Sign in with Google'));
    expect(app.signInWithOAuth).not.toHaveBeenCalled();
  });

  it('show why they failed', async () => {
    const fake = fakeApp();
    fake.app.signInWithOAuth.mockRejectedValue(known('OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED'));
    await show(<OAuthButton provider="x" type="sign-in" />, { with: fake });
    await userEvent.click(button('Sign in with X'));
    expect(screen.getByRole('alert').textContent).toBe('Sign-in with this provider is turned off.');
  });

  it('are disabled inside a frame', async () => {
    vi.stubGlobal('top', {});
    const { app } = await show(<OAuthButton provider="google" type="sign-in" />);
    expect(button('Sign in with Google')).toHaveProperty('disabled', true);
    expect(button('Sign in with Google').title).toBe("Google doesn't work inside another page.");
    await userEvent.click(button('Sign in with Google'));
    expect(app.signInWithOAuth).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
  });

  it('warn in an in-app browser that Google refuses it', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 Mobile Instagram 300.0');
    await show(<OAuthButtonGroup type="sign-in" />, { with: offering(everything) });
    expect(screen.getAllByText(/Open this page in your browser/)).toHaveLength(1);
    vi.restoreAllMocks();
  });
});
