import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { button, known, openAuth, own, section } from '../../../test/settings-page.tsx';

describe('passkey and email code sections', () => {
  const config = { passkeyEnabled: true, magicLinkEnabled: true };

  it('add a passkey, and show why adding failed', async () => {
    const registerPasskey = vi.fn(
      async () => ({ status: 'error', error: known('PASSKEY_REGISTRATION_FAILED') }) as never,
    );
    const { hand } = await openAuth([own()], { config, user: { registerPasskey } });
    await hand.click(button('Add a passkey'));
    expect(section('Passkeys').getByRole('alert').textContent).toBe("The passkey couldn't be added.");
  });

  it('add a second passkey, and confirm it', async () => {
    const registerPasskey = vi.fn(async () => ({ status: 'ok', data: undefined }) as never);
    const { hand } = await openAuth([own()], { config, user: { passkeyAuthEnabled: true, registerPasskey } });
    await hand.click(button('Add another passkey'));
    expect(section('Passkeys').getByRole('status').textContent).toBe('Passkey added');
  });

  it('delete the passkeys after a confirmation', async () => {
    const update = vi.fn(async () => {});
    const { hand } = await openAuth([own()], { config, user: { passkeyAuthEnabled: true, update } });
    await hand.click(button('Delete all passkeys'));
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete all passkeys' }));
    expect(update).toHaveBeenCalledExactlyOnceWith({ passkeyAuthEnabled: false });
  });

  it.each([
    ['Passkeys', { passkeyAuthEnabled: true, hasPassword: false }, ['Add another passkey']],
    ['Email code', { otpAuthEnabled: true, hasPassword: false }, []],
  ])('do not take the only way in: %s', async (name, fields, buttons) => {
    await openAuth([own()], { config, user: fields });
    expect(section(name).getByText(/your only way to sign in/)).toBeTruthy();
    expect(
      section(name)
        .queryAllByRole('button')
        .map(one => one.textContent),
    ).toEqual(buttons);
  });

  it('turn email codes on and off', async () => {
    const update = vi.fn(async () => {});
    const view = await openAuth([own()], { config, user: { update } });
    await view.hand.click(button('Turn on: Email code'));
    expect(update).toHaveBeenCalledExactlyOnceWith({ otpAuthEnabled: true });
    view.unmount();

    const { hand } = await openAuth([own()], { config, user: { update, otpAuthEnabled: true } });
    expect(screen.getByText('You can sign in with: password, email code.')).toBeTruthy();
    await hand.click(button('Turn off: Email code'));
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Turn off' }));
    expect(update).toHaveBeenLastCalledWith({ otpAuthEnabled: false });
  });
});
