import { RequestError } from '@tessera/client';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { SignOut } from '../../lazy/parts.tsx';
import { fakeApp, user } from '../../test/fake-app.ts';
import { settle, show, violations } from '../../test/show.tsx';

describe('sign-out page', () => {
  it('signs out once, then shows it', async () => {
    const fake = fakeApp();
    const ada = user();
    fake.readers.user.set(ada);
    const { container } = await show(
      <StrictMode>
        <SignOut />
      </StrictMode>,
      { with: fake },
    );

    expect(screen.getByRole('img', { name: 'Signing you out' })).toBeTruthy();
    expect(ada.signOut).toHaveBeenCalledOnce();
    expect(await violations(container)).toEqual([]);

    await act(async () => fake.readers.user.set(null));
    expect(screen.getByRole('heading').textContent).toBe("You're signed out");
  });

  it('offers a retry when the server is unreachable', async () => {
    const fake = fakeApp();
    const signOut = vi
      .fn()
      .mockRejectedValueOnce(new RequestError('unreachable', 'no answer'))
      .mockResolvedValue(undefined);
    fake.readers.user.set(user({ signOut }));
    await show(<SignOut />, { with: fake });
    await settle();

    expect(screen.getByRole('heading').textContent).toBe("You're still signed in");
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(signOut).toHaveBeenCalledTimes(2);
    await act(async () => fake.readers.user.set(null));
    expect(screen.getByRole('heading').textContent).toBe("You're signed out");
  });

  it('signs out once per retry when the user is read again meanwhile', async () => {
    const fake = fakeApp();
    const signOut = vi.fn().mockRejectedValue(new RequestError('unreachable', 'no answer'));
    fake.readers.user.set(user({ signOut }));
    vi.mocked(fake.readers.user.refresh).mockImplementation(async () => {
      fake.readers.user.set(user({ signOut }));
      return { status: 'ok', data: null };
    });
    await show(<SignOut />, { with: fake });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(signOut).toHaveBeenCalledTimes(2);
    expect(screen.getByRole('heading').textContent).toBe("You're still signed in");
  });
});
