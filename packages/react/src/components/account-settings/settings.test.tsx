import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { FakeApp } from '../../test/fake-app.ts';
import { button, maybeButton, open } from '../../test/settings-page.tsx';
import { violations } from '../../test/show.tsx';

describe('settings', () => {
  it('sign out without a redirect to sign-in', async () => {
    const signOut = vi.fn(async () => void current?.readers.user.set(null));
    let current: FakeApp | undefined;
    const view = await open('#settings', { user: { signOut } });
    current = view;
    await view.hand.click(button('Sign out'));
    expect(signOut).toHaveBeenCalledOnce();
    expect(view.app.redirectToSignIn).not.toHaveBeenCalled();
    expect(maybeButton('Delete account')).toBeNull();
  });

  it('download the data of the user as a JSON file', async () => {
    const files: Blob[] = [];
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (file: Blob) => `blob:${files.push(file)}` }));
    const exportData = vi.fn(async () => ({ account: { id: 'u' } }));
    const { hand, container } = await open('#settings', { user: { exportData } });
    expect(await violations(container)).toEqual([]);
    await hand.click(button('Download your data'));
    expect(exportData).toHaveBeenCalledOnce();
    expect(JSON.parse((await files[0]?.text()) ?? '')).toEqual({ account: { id: 'u' } });
  });

  it('delete the account after a confirmation, and go to the home page', async () => {
    const remove = vi.fn(async () => {});
    const { hand, app, container } = await open('#settings', {
      user: { delete: remove },
      config: { clientUserDeletionEnabled: true },
    });
    await hand.click(screen.getByText('Danger zone'));
    await hand.click(button('Delete account'));
    expect(await violations(container)).toEqual([]);
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete account' }));
    expect(remove).toHaveBeenCalledOnce();
    expect(app.redirectToHome).toHaveBeenCalledExactlyOnceWith({ replace: true });
  });
});
