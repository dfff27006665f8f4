import { RequestError } from '@tessera/client';
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
    await view.visitor.click(button('Sign out'));
    expect(signOut).toHaveBeenCalledOnce();
    expect(view.app.redirectToSignIn).not.toHaveBeenCalled();
    expect(maybeButton('Delete account')).toBeNull();
  });

  it('download the data of the user as a JSON file', async () => {
    const files: Blob[] = [];
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (file: Blob) => `blob:${files.push(file)}` }));
    const exportData = vi.fn(async () => ({ account: { id: 'u' } }));
    const { visitor, container } = await open('#settings', { user: { exportData } });
    expect(await violations(container)).toEqual([]);
    await visitor.click(button('Download your data'));
    expect(exportData).toHaveBeenCalledOnce();
    expect(JSON.parse((await files[0]?.text()) ?? '')).toEqual({ account: { id: 'u' } });
  });

  it('delete the account after a confirmation, and go to the goodbye page', async () => {
    const requestDeletion = vi.fn(async () => null);
    const { visitor, navigate, container } = await open('#settings', {
      user: { requestDeletion },
      config: { clientUserDeletionEnabled: true },
    });
    await visitor.click(button('Delete account'));
    expect(await violations(container)).toEqual([]);
    expect(screen.getByRole('dialog').textContent).toContain("You can't undo this.");
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete account' }));
    expect(requestDeletion).toHaveBeenCalledOnce();
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/account-deletion#deleted');
  });

  it('say until when the account can be kept, in a project with a cooling-off period', async () => {
    const deletesAt = new Date(2030, 4, 3);
    const { visitor, navigate } = await open('#settings', {
      user: { requestDeletion: vi.fn(async () => deletesAt) },
      config: { clientUserDeletionEnabled: true },
      coolingOffDays: 14,
    });
    await visitor.click(button('Delete account'));
    expect(screen.getByRole('dialog').textContent).toContain('Until then, you can sign in and keep it.');
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete account' }));
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/account-deletion');
  });

  it('lead to the page that keeps an account that is going to be deleted', async () => {
    const getAccountDeletion = vi.fn(async () => ({ deletesAt: new Date(2030, 4, 3), teamsWithoutSuccessor: [] }));
    const { visitor, navigate } = await open('#settings', {
      user: { getAccountDeletion },
      config: { clientUserDeletionEnabled: true },
    });
    expect(screen.getByText('Your account will be deleted on May 3, 2030')).toBeTruthy();
    await visitor.click(button('Keep my account'));
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/account-deletion');
  });

  it('lead the last admin of a team to the team first', async () => {
    const teamsWithoutSuccessor = [{ id: 't1', displayName: 'Engines' }];
    await open('#settings', {
      user: { getAccountDeletion: vi.fn(async () => ({ deletesAt: null, teamsWithoutSuccessor })) },
      config: { clientUserDeletionEnabled: true },
    });
    expect(maybeButton('Delete account')).toBeNull();
    expect(screen.getByRole('link', { name: 'Engines' }).getAttribute('href')).toBe('#team-t1');
  });

  it('delete the account on a server of another product', async () => {
    const remove = vi.fn(async () => {});
    const missing = new RequestError('unexpected-answer', 'There is no such endpoint.', { status: 404 });
    const { visitor, navigate } = await open('#settings', {
      user: { delete: remove, getAccountDeletion: vi.fn(() => Promise.reject(missing)) },
      config: { clientUserDeletionEnabled: true },
    });
    await visitor.click(button('Delete account'));
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete account' }));
    expect(remove).toHaveBeenCalledOnce();
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/account-deletion#deleted');
  });
});
