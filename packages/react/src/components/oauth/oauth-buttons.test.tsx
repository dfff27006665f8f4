import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { OAuthButton, OAuthButtonGroup } from '../../lazy/parts.tsx';
import { fakeApp, project } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';
import { button, everything, known, offering } from '../../test/sign-in-page.ts';

describe('provider buttons', () => {
  it('remember the provider, redirect once, and are busy meanwhile', async () => {
    const { app, container } = await show(<OAuthButton provider="github" type="sign-in" />);
    await userEvent.click(button('Sign in with GitHub'));
    await userEvent.click(button('Sign in with GitHub'));
    expect(app.signInWithOAuth).toHaveBeenCalledExactlyOnceWith('github');
    expect(localStorage.getItem('_STACK_AUTH.lastUsed')).toBe('github');
    expect(button('Sign in with GitHub').getAttribute('aria-busy')).toBe('true');
    expect(await violations(container)).toEqual([]);

    // After the Back button of the browser the page is as before.
    await act(async () => window.dispatchEvent(new Event('pageshow')));
    expect(button('Sign in with GitHub').getAttribute('aria-busy')).toBeNull();
  });

  it('mark the last used provider, except in demonstrations', async () => {
    localStorage.setItem('_STACK_AUTH.lastUsed', 'github');
    const fake = offering(everything);
    const view = await show(<OAuthButtonGroup type="sign-up" />, { with: fake });
    expect(screen.getAllByRole('button').map(element => element.textContent)).toEqual([
      'Sign up with Google',
      'Sign up with GitHubLast used',
      'Sign up with acme',
    ]);
    view.unmount();

    const mockProject = { config: { ...project().config, ...everything } };
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
    expect(screen.getByRole('alert').textContent).toBe('This provider is switched off for this project.');
  });

  it('are disabled inside a frame', async () => {
    vi.stubGlobal('top', {});
    const { app } = await show(<OAuthButton provider="google" type="sign-in" />);
    expect(button('Sign in with Google')).toHaveProperty('disabled', true);
    expect(button('Sign in with Google').title).toBe('Google does not work inside of another page.');
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
