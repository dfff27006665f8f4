import { KnownErrors } from '@tessera/client';
import { screen } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { button, field, openAuth, own, section } from '../../../test/settings-page.tsx';
import { violations } from '../../../test/show.tsx';

describe('password section', () => {
  async function fill(visitor: ReturnType<typeof userEvent.setup>, old: string | undefined, password: string) {
    if (old !== undefined) await visitor.type(field('Current password'), old);
    await visitor.type(field('New password'), password);
    await visitor.type(field('Repeat password'), password);
    await visitor.keyboard('{Enter}');
  }

  it('changes the password with the old one', async () => {
    const updatePassword = vi.fn(async () => undefined);
    const { visitor, container } = await openAuth([own()], { user: { updatePassword } });
    await visitor.click(button('Change password'));
    expect(document.activeElement).toBe(field('Current password'));
    expect(field('Current password').getAttribute('autocomplete')).toBe('current-password');
    expect(await violations(container)).toEqual([]);
    await fill(visitor, 'old one', 'violet harbour 93 lamp');
    expect(updatePassword).toHaveBeenCalledExactlyOnceWith({
      oldPassword: 'old one',
      newPassword: 'violet harbour 93 lamp',
    });
    expect(section('Password').getByRole('status').textContent).toBe('Password changed');
  });

  it.each([
    [new KnownErrors.PasswordConfirmationMismatch(), 'Current password', 'Incorrect password.'],
    [new KnownErrors.PasswordTooShort(8), 'New password', 'Use at least 8 characters.'],
  ])('says at the field what is wrong: %s', async (error, name, sentence) => {
    const updatePassword = vi.fn(async () => error as never);
    const { visitor } = await openAuth([own()], { user: { updatePassword } });
    await visitor.click(button('Change password'));
    await fill(visitor, 'old one', 'violet harbour 93 lamp');
    expect(screen.getByRole('alert').textContent).toBe(sentence);
    expect(document.activeElement).toBe(field(name));
  });

  it('sets a first password', async () => {
    const setPassword = vi.fn(async () => undefined);
    const { visitor } = await openAuth([own()], { user: { hasPassword: false, setPassword } });
    await visitor.click(button('Set a password'));
    expect(screen.queryByLabelText('Current password')).toBeNull();
    await fill(visitor, undefined, 'violet harbour 93 lamp');
    expect(setPassword).toHaveBeenCalledExactlyOnceWith({ password: 'violet harbour 93 lamp' });
    expect(section('Password').getByRole('status').textContent).toBe('Password added');
  });

  it('is hidden when the project has password sign-in off', async () => {
    await openAuth([own()], { config: { credentialEnabled: false } });
    expect(screen.queryByRole('region', { name: 'Password' })).toBeNull();
  });
});
