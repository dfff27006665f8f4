import { act, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { OAuthCallback } from '../../lazy/parts.tsx';
import { fakeApp } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';
import { heading } from '../../test/sign-in-page.ts';

describe('OAuth callback', () => {
  it('completes the sign-in once', async () => {
    const { app, container } = await show(<OAuthCallback fullPage />);
    expect(app.callOAuthCallback).toHaveBeenCalledOnce();
    expect(screen.getByRole('img', { name: 'Signing you in' })).toBeTruthy();
    expect(await violations(container)).toEqual([]);
    expect(app.redirectToSignIn).not.toHaveBeenCalled();
  });

  it('redirects to sign-in when there is nothing to complete', async () => {
    const fake = fakeApp();
    fake.app.callOAuthCallback.mockResolvedValue(false);
    await show(<OAuthCallback />, { with: fake });
    expect(fake.app.redirectToSignIn).toHaveBeenCalledExactlyOnceWith({ noRedirectBack: true, replace: true });
  });

  it('control 58: shows a provider error as text, limited in length', async () => {
    const fake = fakeApp();
    const markup = '<img src=x onerror=alert(1)>';
    fake.app.callOAuthCallback.mockRejectedValue(new Error(markup + 'x'.repeat(5000)));
    const { container } = await show(<OAuthCallback fullPage />, { with: fake });
    expect(heading().textContent).toBe("We couldn't sign you in");
    expect(container.querySelector('img')).toBeNull();
    expect(container.querySelector('pre')?.textContent).toContain('onerror');
    expect(container.querySelector('pre')?.textContent?.length).toBe(800);
    expect(await violations(container)).toEqual([]);
  });

  it('offers a way out when it takes long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true });
    await show(<OAuthCallback />);
    expect(screen.queryByRole('link')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(3000));
    expect(within(screen.getByRole('status')).getByRole('link', { name: 'Go to the home page' })).toBeTruthy();
    vi.useRealTimers();
  });
});
