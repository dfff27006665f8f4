import { KnownErrors } from '@tessera/client';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PasskeyButton, SignIn } from '../../lazy/parts.tsx';
import { fakeApp } from '../../test/fake-app.ts';
import { settle, show } from '../../test/show.tsx';
import { button, field, offering, refusal } from '../../test/sign-in-page.ts';

describe('passkey button', () => {
  it('signs in, and shows a returned error', async () => {
    const fake = fakeApp();
    const error = new KnownErrors.PasskeyWebAuthnError('cancelled', 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY');
    fake.app.signInWithPasskey.mockResolvedValueOnce({ status: 'error', error });
    await show(<PasskeyButton />, { with: fake });
    await userEvent.click(button('Sign in with a passkey'));
    expect(screen.getByRole('alert').textContent).toContain('or you canceled');
    await userEvent.click(button('Sign in with a passkey'));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(fake.app.signInWithPasskey).toHaveBeenCalledTimes(2);
  });
});

describe('passkey autofill', () => {
  beforeEach(() => {
    vi.stubGlobal('PublicKeyCredential', { isConditionalMediationAvailable: async () => true });
  });
  afterEach(() => void vi.unstubAllGlobals());

  it('control 69: starts with the page, and is cancelled with it', async () => {
    const fake = offering({ passkeyEnabled: true });
    fake.app.signInWithPasskey.mockReturnValue(new Promise(() => {}));
    const view = await show(<SignIn />, { with: fake });
    expect(field('Email').getAttribute('autocomplete')).toBe('username webauthn');
    const [options] = fake.app.signInWithPasskey.mock.calls[0] ?? [];
    expect(options).toMatchObject({ autofill: true });
    expect(options?.signal?.aborted).toBe(false);
    view.unmount();
    expect(options?.signal?.aborted).toBe(true);
  });

  it("control 69: starts again after the button's prompt, which cancels it", async () => {
    const fake = offering({ passkeyEnabled: true });
    const autofills: AbortSignal[] = [];
    fake.app.signInWithPasskey.mockImplementation(async options => {
      if (!options?.autofill) return refusal('PASSKEY_AUTHENTICATION_FAILED');
      if (options.signal) autofills.push(options.signal);
      return new Promise(() => {});
    });
    await show(<SignIn />, { with: fake });
    await userEvent.click(button('Sign in with a passkey'));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain("wasn't accepted");
    expect(autofills.map(signal => signal.aborted)).toEqual([true, false]);
  });

  it('shows that a chosen passkey was refused, and nothing when there was no prompt', async () => {
    const fake = offering({ passkeyEnabled: true });
    fake.app.signInWithPasskey.mockResolvedValue(refusal('PASSKEY_AUTHENTICATION_FAILED'));
    const view = await show(<SignIn />, { with: fake });
    await settle();
    expect(screen.getByRole('alert').textContent).toContain("wasn't accepted");
    view.unmount();

    fake.app.signInWithPasskey.mockRejectedValue(new Error('no'));
    await show(<SignIn />, { with: fake });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('does not start when the project has passkeys off', async () => {
    const { app } = await show(<SignIn />);
    expect(field('Email').getAttribute('autocomplete')).toBe('username');
    expect(app.signInWithPasskey).not.toHaveBeenCalled();
  });
});
