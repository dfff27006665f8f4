import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { ErrorPage } from '../../lazy/parts.tsx';
import { fakeApp } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';

afterEach(() => sessionStorage.clear());

it('a refused provider leads to the sign-in of the existing account, and from there to the question to connect', async () => {
  const searchParams = {
    errorCode: 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
    message: '-',
    details: JSON.stringify({ type: 'email', contact_channel_value: 'ada@example.com' }),
    provider: 'github',
    account_methods: 'password,google',
  };
  const fake = fakeApp();
  const { container } = await show(<ErrorPage fullPage searchParams={searchParams} />, { with: fake });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('You already have an account');
  expect(
    screen.getByText('There is already an account with ada@example.com. Sign in to it, then connect GitHub.'),
  ).toBeTruthy();
  expect(screen.getByText('You sign in there with: password, Google.')).toBeTruthy();
  expect(await violations(container)).toEqual([]);

  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(sessionStorage.getItem('tessera.email-draft.p')).toBe('ada@example.com');
  const query = new URLSearchParams({ after_auth_return_to: '/handler/account-settings?connect=github#auth' });
  expect(fake.navigate).toHaveBeenCalledExactlyOnceWith(`/handler/sign-in?${query}`);
});
