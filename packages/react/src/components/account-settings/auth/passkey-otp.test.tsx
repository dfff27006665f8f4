import { KnownErrors, type OwnPasskey, RequestError } from '@tessera/client';
import { act, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../test/deferred.ts';
import {
  actionsOf,
  button,
  channel,
  choose,
  field,
  known,
  openAuth,
  own,
  section,
} from '../../../test/settings-page.tsx';
import { violations } from '../../../test/show.tsx';

const laptop: OwnPasskey = {
  id: 'one',
  name: null,
  providerName: 'Bitwarden',
  device: { browser: 'Firefox 140', system: 'Linux', type: 'desktop' },
  isSynced: true,
  createdAt: new Date('2026-05-03T12:00:00Z'),
  lastUsedAt: null,
};
const phone: OwnPasskey = { ...laptop, id: 'two', name: 'Phone', isSynced: false, providerName: null };
const withPasskeys = (...passkeys: OwnPasskey[]) => ({
  passkeyAuthEnabled: true,
  getPasskeys: vi.fn(async () => passkeys),
});

describe('the list of passkeys', () => {
  const config = { passkeyEnabled: true };
  const rows = () => section('Passkeys').getAllByRole('listitem');

  it('shows provider, device, creation and last use', async () => {
    const { container } = await openAuth([own()], { config, user: withPasskeys(laptop, phone) });
    expect(rows().map(row => row.textContent)).toEqual([
      'BitwardenSyncedFirefox 140 · LinuxAdded May 3, 2026 · Never used',
      'PhoneFirefox 140 · LinuxAdded May 3, 2026 · Never used',
    ]);
    expect(await violations(container)).toEqual([]);
  });

  it('renames a passkey', async () => {
    const renamePasskey = vi.fn(async () => {});
    const { visitor } = await openAuth([own()], { config, user: { ...withPasskeys(laptop, phone), renamePasskey } });
    await choose(visitor, 'Bitwarden', 'Rename');
    expect(await violations(document.body)).toEqual([]);
    await visitor.type(field('Name'), 'Work{Enter}');
    expect(renamePasskey).toHaveBeenCalledExactlyOnceWith('one', 'Work');
    expect(rows()[0]?.textContent).toContain('WorkSyncedBitwarden · Firefox 140');
  });

  it('keeps the dialog of a passkey when the canceled rename of another one is answered', async () => {
    const renamed = deferred<void>();
    const user = { ...withPasskeys(laptop, phone), renamePasskey: () => renamed.promise };
    const { visitor } = await openAuth([own()], { config, user });
    await choose(visitor, 'Bitwarden', 'Rename');
    await visitor.type(field('Name'), 'Work{Enter}');
    await visitor.click(button('Cancel'));
    await choose(visitor, 'Phone', 'Rename');
    await visitor.type(field('Name'), ' of Ada');
    await act(async () => renamed.resolve());
    expect(field('Name')).toHaveProperty('value', 'Phone of Ada');
  });

  it('removes one passkey after a confirmation', async () => {
    const removePasskey = vi.fn(async () => {});
    const { visitor } = await openAuth([own()], { config, user: { ...withPasskeys(laptop, phone), removePasskey } });
    await choose(visitor, 'Phone', 'Remove');
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(removePasskey).toHaveBeenCalledExactlyOnceWith('two');
    expect(rows()).toHaveLength(1);
  });

  it('no longer shows that a passkey was added after it is removed', async () => {
    const removePasskey = vi.fn(async () => {});
    const registerPasskey = vi.fn(async () => ({ status: 'ok' }) as never);
    const passkeys = withPasskeys(laptop, phone);
    const { visitor } = await openAuth([own()], { config, user: { ...passkeys, removePasskey, registerPasskey } });
    await visitor.click(button('Add another passkey'));
    expect(section('Passkeys').getByRole('status').textContent).toBe('Passkey added');
    await choose(visitor, 'Phone', 'Remove');
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(rows()).toHaveLength(1);
    expect(section('Passkeys').getByRole('status').textContent).toBe('');
  });

  it('removes a passkey from the list also when the list could not be read again', async () => {
    const getPasskeys = vi
      .fn(async (): Promise<OwnPasskey[]> => Promise.reject(new RequestError('unreachable', 'no')))
      .mockResolvedValueOnce([laptop, phone]);
    const registerPasskey = vi.fn(async () => ({ status: 'ok' }) as never);
    const removePasskey = vi.fn(async () => {});
    const account = { passkeyAuthEnabled: true, getPasskeys, registerPasskey, removePasskey };
    const { visitor } = await openAuth([own()], { config, user: account });
    await visitor.click(button('Add another passkey'));
    await choose(visitor, 'Phone', 'Remove');
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(rows()).toHaveLength(1);
  });

  it('offers no removal of the only sign-in method', async () => {
    const { visitor } = await openAuth([own()], { config, user: { ...withPasskeys(laptop), hasPassword: false } });
    expect(await actionsOf(visitor, 'Bitwarden')).toEqual(['Rename']);
  });
});

describe('passkey and email code sections', () => {
  const config = { passkeyEnabled: true, magicLinkEnabled: true };

  it('add a passkey, and show why adding failed', async () => {
    const registerPasskey = vi.fn(
      async () => ({ status: 'error', error: known('PASSKEY_REGISTRATION_FAILED') }) as never,
    );
    const { visitor } = await openAuth([own()], { config, user: { registerPasskey } });
    await visitor.click(button('Add a passkey'));
    expect(section('Passkeys').getByRole('alert').textContent).toBe("This passkey couldn't be added.");
  });

  it('add a second passkey, and confirm it', async () => {
    const registerPasskey = vi.fn(async () => ({ status: 'ok', data: undefined }) as never);
    const { visitor } = await openAuth([own()], { config, user: { passkeyAuthEnabled: true, registerPasskey } });
    await visitor.click(button('Add another passkey'));
    expect(section('Passkeys').getByRole('status').textContent).toBe('Passkey added');
  });

  it('say that the device has a passkey already, or that the prompt was closed', async () => {
    const refused = (code: string) => ({
      status: 'error',
      error: new KnownErrors.PasskeyWebAuthnError('refused', code),
    });
    const registerPasskey = vi.fn(async () => refused('ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') as never);
    const { visitor } = await openAuth([own()], { config, user: { registerPasskey } });
    await visitor.click(button('Add a passkey'));
    const alert = () => section('Passkeys').getByRole('alert').textContent;
    expect(alert()).toBe('This device already has a passkey for your account.');
    registerPasskey.mockResolvedValue(refused('ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY') as never);
    await visitor.click(button('Add a passkey'));
    expect(alert()).toBe("The passkey wasn't added. You canceled, or it took too long.");
  });

  it('say that an address must be verified first, and leave the button to the list of addresses', async () => {
    const unverified = channel('ada@example.com', { isPrimary: true, usedForAuth: true });
    await openAuth([unverified], { config });
    for (const name of ['Passkeys', 'Email code']) {
      expect(section(name).getByText('Verify an email address for sign-in first.')).toBeTruthy();
      expect(section(name).queryAllByRole('button')).toEqual([]);
    }
    expect(screen.getAllByRole('button', { name: /^Send verification email/ })).toHaveLength(1);
  });

  it.each([
    ['Passkeys', { ...withPasskeys(laptop), hasPassword: false }, ['', 'Add another passkey']],
    ['Email code', { otpAuthEnabled: true, hasPassword: false }, []],
  ])('do not remove the only sign-in method: %s', async (name, fields, buttons) => {
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
    await view.visitor.click(button('Turn on: Email code'));
    expect(update).toHaveBeenCalledExactlyOnceWith({ otpAuthEnabled: true });
    view.unmount();

    const { visitor } = await openAuth([own()], { config, user: { update, otpAuthEnabled: true } });
    expect(screen.getByText('You can sign in with: password, email code.')).toBeTruthy();
    await visitor.click(button('Turn off: Email code'));
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Turn off' }));
    expect(update).toHaveBeenLastCalledWith({ otpAuthEnabled: false });
  });

  it('turn off email codes that work although none was used', async () => {
    const update = vi.fn(async () => {});
    const getEmailCodeState = async () => 'first_use' as const;
    const { visitor } = await openAuth([own()], { config, user: { update, getEmailCodeState } });
    expect(screen.getByText('You can sign in with: password, email code.')).toBeTruthy();
    await visitor.click(button('Turn off: Email code'));
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Turn off' }));
    expect(update).toHaveBeenCalledExactlyOnceWith({ otpAuthEnabled: false });
    expect(screen.getByText('You can sign in with: password.')).toBeTruthy();
    expect(button('Turn on: Email code')).toBeTruthy();
  });
});
