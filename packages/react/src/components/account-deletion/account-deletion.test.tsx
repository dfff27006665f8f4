import type { CurrentUser } from '@tessera/client';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AccountDeletion } from '../../lazy/parts.tsx';
import { fakeApp, user } from '../../test/fake-app.ts';
import { settle, show, violations } from '../../test/show.tsx';

afterEach(() => history.replaceState(null, '', '/'));

const button = (name: string) => screen.getByRole('button', { name });
const scheduled = { deletesAt: new Date(2030, 4, 3), teamsWithoutSuccessor: [] };

async function open(address: string, fields?: Partial<CurrentUser>) {
  history.replaceState(null, '', address);
  const fake = fakeApp();
  fake.readers.user.set(fields === undefined ? null : user(fields));
  const view = await show(<AccountDeletion fullPage />, { with: fake });
  await settle();
  return { ...view, visitor: userEvent.setup() };
}

describe('AccountDeletion', () => {
  it('says when the account will be deleted, and keeps it', async () => {
    const cancelDeletion = vi.fn(async () => {});
    const { visitor, app, container } = await open('/handler/account-deletion?after_auth_return_to=%2Fcart', {
      getAccountDeletion: vi.fn(async () => scheduled),
      cancelDeletion,
    });
    expect(screen.getByRole('heading').textContent).toBe('Your account will be deleted on May 3, 2030');
    expect(await violations(container)).toEqual([]);
    await visitor.click(button('Keep my account'));
    expect(cancelDeletion).toHaveBeenCalledOnce();
    expect(document.activeElement?.textContent).toBe('Your account stays');
    await visitor.click(button('Go to the home page'));
    expect(app.redirectToAfterSignIn).toHaveBeenCalledExactlyOnceWith({ replace: true });
  });

  it('says that no deletion is planned when none was', async () => {
    await open('/handler/account-deletion', {
      getAccountDeletion: vi.fn(async () => ({ deletesAt: null, teamsWithoutSuccessor: [] })),
    });
    expect(screen.getByRole('heading').textContent).toBe('No deletion is planned');
  });

  it('reads the deletion of the next user after a change of account', async () => {
    const { readers } = await open('/', { getAccountDeletion: vi.fn(async () => scheduled) });
    const getAccountDeletion = vi.fn(async () => scheduled);
    await act(async () => readers.user.set(user({ id: 'g', getAccountDeletion })));
    expect(getAccountDeletion).toHaveBeenCalledOnce();
  });

  it('leads on to the app after a sign-in, and otherwise offers to sign out', async () => {
    const getAccountDeletion = vi.fn(async () => scheduled);
    const signOut = vi.fn(async () => {});
    const { visitor, app, unmount } = await open('/handler/account-deletion?after_auth_return_to=%2Fcart', {
      getAccountDeletion,
    });
    await visitor.click(button('Not now'));
    expect(app.redirectToAfterSignIn).toHaveBeenCalledOnce();
    unmount();
    const second = await open('/handler/account-deletion', { getAccountDeletion, signOut });
    await second.visitor.click(button('Sign out'));
    expect(signOut).toHaveBeenCalledOnce();
  });

  it('says goodbye after the deletion, without a user', async () => {
    const { app, container } = await open('/handler/account-deletion#deleted');
    expect(document.activeElement?.textContent).toBe('Your account has been deleted');
    expect(await violations(container)).toEqual([]);
    expect(app.redirectToSignIn).not.toHaveBeenCalled();
  });

  it('asks a signed-out visitor to sign in', async () => {
    const { app } = await open('/handler/account-deletion');
    expect(app.redirectToSignIn).toHaveBeenCalledExactlyOnceWith({ replace: true });
  });
});
