import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { ErrorPage } from '../../lazy/parts.tsx';
import { button, heading, signedIn } from '../../test/code-pages.ts';
import { fakeApp } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';

const refused = (errorCode: string) => ({ errorCode, message: '-', details: '{}', provider: 'github' });

describe('error page of a user who was connecting a provider', () => {
  it.each([
    ['OAUTH_PROVIDER_ACCESS_DENIED', 'Account not connected'],
    ['OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER', 'That account is already in use'],
  ])('shows %s as: %s, and leads back to the account settings', async (code, title) => {
    const { navigate, container } = await show(<ErrorPage searchParams={refused(code)} />, { with: signedIn() });
    expect(heading().textContent).toBe(title);
    expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull();
    expect(await violations(container)).toEqual([]);
    await userEvent.click(button('Account settings'));
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/account-settings#auth');
  });
});

it('the error page of a canceled sign-in leads to sign-in', async () => {
  const fake = fakeApp();
  fake.readers.user.set(null);
  const { navigate } = await show(<ErrorPage searchParams={refused('OAUTH_PROVIDER_ACCESS_DENIED')} />, { with: fake });
  expect(heading().textContent).toBe('Sign-in was canceled');
  await userEvent.click(button('Sign in'));
  expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/sign-in');
});
