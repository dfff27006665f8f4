import { type CurrentUser, KnownError, RequestError } from '@tessera/client';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { useActionGuard } from '../../form/action-guard.ts';
import { user as signedIn } from '../../test/fake-app.ts';
import { button, known, openAuth, own } from '../../test/settings-page.tsx';
import { show, violations } from '../../test/show.tsx';
import { Reauthentication } from './reauthentication.tsx';

const method = (name: 'passkey' | 'password' | 'code', needsTotp = false) => ({ method: name, needsTotp });
const refusal = (code: string) => ({ status: 'error', error: known(code) }) as never;
const ok = { status: 'ok', data: undefined } as const;

/** A user who turns two-step verification off, which needs a recent sign-in. */
function openWith(methods: object[], fields: object = {}) {
  const update = vi.fn<CurrentUser['update']>(async () => {});
  update.mockRejectedValueOnce(KnownError.fromJson({ code: 'REAUTHENTICATION_REQUIRED' }));
  const reauthenticate = vi.fn<CurrentUser['reauthenticate']>(async () => ok);
  const user = {
    isMultiFactorRequired: true,
    update,
    reauthenticate,
    getReauthenticationMethods: vi.fn(async () => methods),
    sendReauthenticationCode: vi.fn(async () => 'n0nce'),
    ...fields,
  };
  return { update, reauthenticate, user, page: openAuth([own()], { user: user as Partial<CurrentUser> }) };
}

const turnOff = () => button('Turn off: Two-step verification');
const dialog = () => within(screen.getByRole('dialog'));

describe('reauthentication', () => {
  it('asks for the password and repeats the refused action', async () => {
    const { update, reauthenticate, page } = openWith([method('password')]);
    const { visitor, container } = await page;
    await visitor.click(turnOff());
    await visitor.type(await screen.findByLabelText('Password', { selector: 'input' }), 'correct horse');
    expect(await violations(container)).toEqual([]);
    await visitor.click(dialog().getByRole('button', { name: 'Confirm' }));
    expect(reauthenticate).toHaveBeenCalledExactlyOnceWith({ password: 'correct horse' });
    expect(update).toHaveBeenCalledTimes(2);
    expect(update).toHaveBeenLastCalledWith({ totpMultiFactorSecret: null });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('focuses the first field of each step, or the button of a step without one', async () => {
    const { page } = openWith([method('passkey'), method('password'), method('code')]);
    const { visitor } = await page;
    await visitor.click(turnOff());
    await screen.findByText('Use a passkey', {}, { timeout: 20_000 });
    expect(document.activeElement).toBe(dialog().getByRole('button', { name: 'Use a passkey' }));
    await visitor.click(dialog().getByRole('button', { name: 'Use your password' }));
    expect(document.activeElement).toBe(dialog().getByLabelText('Password', { selector: 'input' }));
    await visitor.click(dialog().getByRole('button', { name: 'Use an email code' }));
    await visitor.click(dialog().getByRole('button', { name: 'Email me a code' }));
    expect(document.activeElement).toBe(dialog().getByLabelText('Six-character code'));
  });

  it('shows a wrong password at its field, and the user can try again', async () => {
    const { update, reauthenticate, page } = openWith([method('password')]);
    reauthenticate.mockResolvedValueOnce(refusal('PASSWORD_CONFIRMATION_MISMATCH'));
    const { visitor } = await page;
    await visitor.click(turnOff());
    await visitor.type(dialog().getByLabelText('Password', { selector: 'input' }), 'wrong horse{Enter}');
    expect(dialog().getByRole('alert').textContent).toBeTruthy();
    expect(update).toHaveBeenCalledOnce();
    await visitor.keyboard('{Enter}');
    expect(update).toHaveBeenCalledTimes(2);
  });

  it('leaves the refusal when the user cancels, and asks again at the next try', async () => {
    const { update, page } = openWith([method('password')]);
    const { visitor } = await page;
    await visitor.click(turnOff());
    await visitor.click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('alert').textContent).toContain("Confirm it's you");
    update.mockRejectedValueOnce(KnownError.fromJson({ code: 'REAUTHENTICATION_REQUIRED' }));
    await visitor.click(turnOff());
    expect(screen.getByRole('dialog')).toBeTruthy();
  });

  it('sends a code on request, and joins it with its nonce', async () => {
    const { user, reauthenticate, page } = openWith([method('code')]);
    const { visitor } = await page;
    await visitor.click(turnOff());
    expect(user.sendReauthenticationCode).not.toHaveBeenCalled();
    await visitor.click(dialog().getByRole('button', { name: 'Email me a code' }));
    expect(dialog().getByText(/ada@example.com/)).toBeTruthy();
    await visitor.type(dialog().getByLabelText('Six-character code'), 'ab1 2cd{Enter}');
    expect(reauthenticate).toHaveBeenCalledExactlyOnceWith({ code: 'ab12cdn0nce' });
  });

  it('sends another code half a minute later, and joins it with the newest nonce', async () => {
    const { user, reauthenticate, page } = openWith([method('code')]);
    user.sendReauthenticationCode.mockResolvedValueOnce('f1rst').mockResolvedValueOnce('s3cond');
    const { visitor, container } = await page;
    await visitor.click(turnOff());
    await visitor.click(dialog().getByRole('button', { name: 'Email me a code' }));
    await visitor.type(dialog().getByLabelText('Six-character code'), 'ab1');
    await visitor.click(dialog().getByRole('button', { name: /^Resend in \d+ s$/ }));
    expect(user.sendReauthenticationCode).toHaveBeenCalledOnce();

    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 40_000);
    await visitor.click(await dialog().findByRole('button', { name: 'Resend' }, { timeout: 3000 }));
    expect(await dialog().findByText('Sent again. Use the newest email.')).toBeTruthy();
    later.mockRestore();
    expect(await violations(container)).toEqual([]);
    await visitor.type(dialog().getByLabelText('Six-character code'), 'cd2 3ef{Enter}');
    expect(reauthenticate).toHaveBeenCalledExactlyOnceWith({ code: 'cd23efs3cond' });
  });

  it('asks for the authenticator app too with two-step verification', async () => {
    const { reauthenticate, page } = openWith([method('password', true)]);
    const { visitor } = await page;
    await visitor.click(turnOff());
    await visitor.type(dialog().getByLabelText('Password', { selector: 'input' }), 'correct horse{Enter}');
    expect(dialog().getByRole('alert').textContent).toContain('Enter the code.');
    expect(reauthenticate).not.toHaveBeenCalled();
    await visitor.type(dialog().getByLabelText('Code from your authenticator app'), '123456{Enter}');
    expect(reauthenticate).toHaveBeenCalledExactlyOnceWith({ password: 'correct horse', totp: '123456' });
  });

  it('accepts a recovery code in the place of the authenticator app', async () => {
    const { reauthenticate, update, page } = openWith([method('password', true)]);
    reauthenticate.mockResolvedValueOnce(refusal('INVALID_RECOVERY_CODE'));
    const { visitor, container } = await page;
    await visitor.click(turnOff());
    await visitor.type(dialog().getByLabelText('Password', { selector: 'input' }), 'correct horse');
    await visitor.click(dialog().getByRole('button', { name: 'Use a recovery code' }));
    expect(document.activeElement).toBe(dialog().getByLabelText('Recovery code'));
    expect(await violations(container)).toEqual([]);
    await visitor.keyboard('4f0k-9zqt-1m7c-h2vd{Enter}');
    expect(dialog().getByRole('alert').textContent).toBeTruthy();
    await visitor.keyboard('{Enter}');
    expect(reauthenticate).toHaveBeenLastCalledWith({ password: 'correct horse', recoveryCode: '4f0k-9zqt-1m7c-h2vd' });
    expect(update).toHaveBeenCalledTimes(2);
  });

  it('asks for the second factor when a passkey did not verify its user', async () => {
    const { reauthenticate, update, page } = openWith([method('passkey')]);
    reauthenticate.mockResolvedValueOnce(refusal('INVALID_TOTP_CODE'));
    const { visitor } = await page;
    await visitor.click(turnOff());
    await visitor.click(dialog().getByRole('button', { name: 'Use a passkey' }));
    await visitor.type(dialog().getByLabelText('Code from your authenticator app'), '123456{Enter}');
    expect(reauthenticate).toHaveBeenLastCalledWith({ passkey: true, totp: '123456' });
    expect(update).toHaveBeenCalledTimes(2);
  });

  it('changes to another method', async () => {
    const { visitor } = await openWith([method('passkey'), method('password'), method('code')]).page;
    await visitor.click(turnOff());
    expect(dialog().queryByLabelText('Password', { selector: 'input' })).toBeNull();
    await visitor.click(dialog().getByRole('button', { name: 'Use your password' }));
    expect(dialog().getByLabelText('Password', { selector: 'input' })).toBeTruthy();
    await visitor.click(dialog().getByRole('button', { name: 'Use an email code' }));
    expect(dialog().getByRole('button', { name: 'Email me a code' })).toBeTruthy();
  });

  it('offers to sign out when the account has no method, and shows why the sign-out failed', async () => {
    const signOut = vi.fn(async () => {}).mockRejectedValueOnce(new RequestError('unreachable', 'no'));
    const { visitor } = await openWith([], { signOut }).page;
    await visitor.click(turnOff());
    await visitor.click(dialog().getByRole('button', { name: 'Sign out' }));
    expect(dialog().getByRole('alert').textContent).toContain("can't reach the server");
    await visitor.click(dialog().getByRole('button', { name: 'Sign out' }));
    expect(dialog().queryByRole('alert')).toBeNull();
    expect(signOut).toHaveBeenCalledTimes(2);
  });

  it('shows the dialog in its own theme and language around a page of the host app, which it leaves as it is', async () => {
    const rotate = vi.fn(async () => {});
    rotate.mockRejectedValueOnce(KnownError.fromJson({ code: 'REAUTHENTICATION_REQUIRED' }));
    const fields = {
      getReauthenticationMethods: vi.fn(async () => [method('password')]),
      reauthenticate: vi.fn(async () => ok),
    };
    const { container } = await show(
      <main>
        <Reauthentication user={signedIn(fields as Partial<CurrentUser>)}>
          <HostButton act={rotate} />
        </Reauthentication>
      </main>,
      { lang: 'de' },
    );
    const visitor = userEvent.setup();
    const page = container.innerHTML;
    await visitor.click(button('Rotate'));
    const opened = await screen.findByRole('dialog');
    expect(opened.closest('.tessera-root')?.getAttribute('lang')).toBe('de');
    expect(await violations(container)).toEqual([]);
    await visitor.type(dialog().getByLabelText('Passwort', { selector: 'input' }), 'correct horse{Enter}');
    expect(rotate).toHaveBeenCalledTimes(2);
    expect(container.innerHTML).toBe(page);
  });
});

function HostButton({ act }: { act: () => Promise<void> }) {
  const guard = useActionGuard();
  return (
    <button type="button" onClick={() => void guard(act)}>
      Rotate
    </button>
  );
}
