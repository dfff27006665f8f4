import { internals, RequestError } from '@tessera/client';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CliAuthConfirmation } from '../../lazy/parts.tsx';
import { button, heading, signedIn } from '../../test/code-pages.ts';
import { fakeApp, user } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';

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
