import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SignIn } from '../../lazy/parts.tsx';
import { user } from '../../test/fake-app.ts';
import { settle, show, violations } from '../../test/show.tsx';
import { button, field, offering } from '../../test/sign-in-page.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

/** Signs in with a password on a device with passkeys. */
async function signIn(fields: Parameters<typeof user>[0]) {
  vi.stubGlobal('PublicKeyCredential', { isUserVerifyingPlatformAuthenticatorAvailable: async () => true });
  const fake = offering({ passkeyEnabled: true });
  fake.app.getUser.mockResolvedValue(user({ primaryEmailVerified: true, ...fields }));
  const { container } = await show(<SignIn />, { with: fake });
  const visitor = userEvent.setup();
  await visitor.type(field('Email'), 'ada@example.com');
  await visitor.type(field('Password'), 'quiet lantern orbit{Enter}');
  await settle();
  return { fake, visitor, container };
}

describe('the offer of a passkey after a sign-in with a password', () => {
  it('creates a passkey, then leaves the page', async () => {
    const registerPasskey = vi.fn(async () => ({ status: 'ok', data: undefined }) as never);
    const { fake, visitor, container } = await signIn({ registerPasskey });
    expect(await screen.findByRole('heading', { name: 'Sign in faster next time' })).toBe(document.activeElement);
    expect(await violations(container)).toEqual([]);
    expect(fake.app.redirectToAfterSignIn).not.toHaveBeenCalled();
    await visitor.click(button('Create a passkey'));
    await settle();
    expect(registerPasskey).toHaveBeenCalledOnce();
    expect(fake.app.redirectToAfterSignIn).toHaveBeenCalledExactlyOnceWith({ replace: true });
  });

  it('is not made again in this browser after it was dismissed', async () => {
    const { fake, visitor } = await signIn({});
    await screen.findByRole('heading', { name: 'Sign in faster next time' });
    await visitor.click(button('Not now'));
    await settle();
    expect(fake.app.redirectToAfterSignIn).toHaveBeenCalledOnce();
    expect(localStorage.getItem('tessera.passkey-offer.p')).toBe('dismissed');
  });

  it('is not made to a user who has a passkey, or an unverified address', async () => {
    const { fake } = await signIn({ passkeyAuthEnabled: true });
    expect(screen.queryByRole('heading', { name: 'Sign in faster next time' })).toBeNull();
    expect(fake.app.redirectToAfterSignIn).toHaveBeenCalledOnce();
  });
});
