import { RequestError } from '@tessera/client';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { MagicLinkCallback } from '../../lazy/parts.tsx';
import { button, heading, refusal, searchParams, signedIn } from '../../test/code-pages.ts';
import { fakeApp, user } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';

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

  it('shows signed-in visitors the account that they are signed in to', async () => {
    const { app } = await show(<MagicLinkCallback searchParams={searchParams} />, { with: signedIn() });
    expect(heading().textContent).toBe("You're signed in");
    expect(screen.getByText("You're signed in as ada@example.com.")).toBeTruthy();
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
