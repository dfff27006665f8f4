import { RequestError } from '@tessera/client';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { UserAvatar, UserButton } from '../../lazy/parts.tsx';
import { fakeApp, user } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';

const items = () => screen.getAllByRole('menuitem').map(item => item.textContent);

describe('UserButton', () => {
  it('offers signed-in visitors their account, extra items, the theme, and sign-out', async () => {
    const fake = fakeApp({ urls: { accountSettings: '/account' } });
    fake.readers.user.set(user());
    const onClick = vi.fn();
    await show(<UserButton colorModeToggle={vi.fn()} extraItems={[{ text: 'Invoices', icon: null, onClick }]} />, {
      with: fake,
    });
    const visitor = userEvent.setup();
    await visitor.click(screen.getByRole('button', { name: 'Account menu of Ada Lovelace' }));

    expect(items()).toEqual(['Account settings', 'Invoices', 'Switch between light and dark', 'Sign out']);
    expect(await violations(document.body)).toEqual([]);

    await visitor.click(screen.getByRole('menuitem', { name: 'Invoices' }));
    expect(onClick).toHaveBeenCalledOnce();
  });

  it('has a name that contains the name and the email address beside the image', async () => {
    const fake = fakeApp();
    fake.readers.user.set(user());
    const { container } = await show(<UserButton showUserInfo />, { with: fake });
    screen.getByRole('button', { name: 'Account menu Ada Lovelace ada@example.com' });
    expect(await violations(container)).toEqual([]);
  });

  it('offers signed-out visitors to sign in, also by keyboard', async () => {
    const { app } = await show(<UserButton />);
    const visitor = userEvent.setup();
    await visitor.tab();
    await visitor.keyboard('{Enter}');

    expect(items()).toEqual(['Sign in', 'Create an account']);
    await visitor.keyboard('{ArrowDown}{Enter}');
    expect(app.redirectToSignUp).toHaveBeenCalledOnce();
  });

  it('shows a failed action', async () => {
    const alert = vi.fn();
    vi.stubGlobal('alert', alert);
    const fake = fakeApp();
    fake.readers.user.set(user());
    fake.app.signOut.mockRejectedValueOnce(new RequestError('unreachable', 'no answer'));
    await show(<UserButton />, { with: fake });
    await userEvent.click(screen.getByRole('button'));
    await userEvent.click(screen.getByRole('menuitem', { name: 'Sign out' }));
    expect(alert).toHaveBeenCalledExactlyOnceWith("We can't reach the server. Check your connection and try again.");
    vi.unstubAllGlobals();
  });

  it('neither suspends nor fails when the user cannot be loaded', async () => {
    const fake = fakeApp();
    fake.readers.user.fail(new RequestError('unreachable', 'no answer'));
    await show(<UserButton />, { with: fake });
    await userEvent.click(screen.getByRole('button', { name: 'Account menu' }));
    expect(items()).toEqual(['Try again']);
  });
});

describe('UserAvatar', () => {
  it('shows initials, with the name for screen readers', async () => {
    const { container } = await show(<UserAvatar user={{ displayName: 'Ada Lovelace' }} />);
    expect(screen.getByRole('img', { name: 'Picture of Ada Lovelace' }).textContent).toBe('AD');
    expect(await violations(container)).toEqual([]);
  });
});
