import { RequestError } from '@tessera/client';
import { act, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { setReader } from '../../../test/fake-app.ts';
import {
  actionsOf,
  button,
  channel,
  choose,
  field,
  known,
  maybeButton,
  open,
  openAuth,
  own,
  section,
} from '../../../test/settings-page.tsx';
import { violations } from '../../../test/show.tsx';

describe('email addresses', () => {
  const rows = () => within(screen.getByRole('list', { name: 'Email addresses' })).getAllByRole('listitem');

  it('are listed in order with their badges and actions', async () => {
    const [second, third] = [channel('b@example.com', { isVerified: true }), channel('a@example.com')];
    const { visitor, container } = await openAuth([third, second, own()]);
    expect(rows().map(row => row.querySelector('bdi')?.textContent)).toEqual([
      'ada@example.com',
      'b@example.com',
      'a@example.com',
    ]);
    // The only sign-in address has no action, and an unverified one cannot become primary.
    expect(maybeButton('More actions: ada@example.com')).toBeNull();
    expect(await actionsOf(visitor, 'a@example.com')).toEqual(['Remove']);
    expect(await violations(container)).toEqual([]);

    await choose(visitor, 'b@example.com', 'Make primary');
    expect(second.update).toHaveBeenCalledExactlyOnceWith({ isPrimary: true });
    await choose(visitor, 'b@example.com', 'Use for sign-in');
    expect(second.update).toHaveBeenLastCalledWith({ usedForAuth: true });
    await visitor.click(button('Send verification email: a@example.com'));
    expect(screen.getByText('Verification email sent to a@example.com.')).toBeTruthy();
  });

  it('show that another account signs in with the address', async () => {
    const second = channel('b@example.com', { isVerified: true });
    second.update.mockRejectedValue(known('CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE'));
    const { visitor } = await openAuth([own(), second]);
    await choose(visitor, 'b@example.com', 'Use for sign-in');
    expect(screen.getByRole('alert').textContent).toBe('Someone else signs in with this address.');
  });

  it('are removed after a confirmation', async () => {
    const second = channel('b@example.com');
    const { visitor } = await openAuth([own(), second]);
    await choose(visitor, 'b@example.com', 'Remove');
    const dialog = within(screen.getByRole('dialog', { name: 'Remove this address?' }));
    expect(await violations(document.body)).toEqual([]);
    await visitor.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button('More actions: b@example.com'));
    await visitor.click(button('Send verification email: b@example.com'));
    expect(screen.getByText('Verification email sent to b@example.com.')).toBeTruthy();
    await choose(visitor, 'b@example.com', 'Remove');
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(second.delete).toHaveBeenCalledOnce();
    expect(screen.queryByText('Verification email sent to b@example.com.')).toBeNull();
  });

  it('are added unused for sign-in, then verified; a duplicate is refused', async () => {
    const added = channel('new@example.com');
    const createContactChannel = vi.fn(async () => added);
    const { visitor, container } = await openAuth([own()], { user: { createContactChannel } as never });
    await visitor.click(button('Add an address'));
    expect(document.activeElement).toBe(field('New email address'));
    await visitor.type(field('New email address'), 'ADA@example.com{Enter}');
    expect(screen.getByText('This address is already on the list.')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
    await visitor.clear(field('New email address'));
    await visitor.type(field('New email address'), 'new@example.com{Enter}');
    expect(createContactChannel).toHaveBeenCalledExactlyOnceWith({
      value: 'new@example.com',
      type: 'email',
      usedForAuth: false,
    });
    expect(added.sendVerificationEmail).toHaveBeenCalledOnce();
    expect(screen.getByText('Verification email sent to new@example.com.')).toBeTruthy();
  });

  it('get another verification email when only the first one could not be sent', async () => {
    const added = channel('new@example.com');
    added.sendVerificationEmail.mockRejectedValueOnce(new RequestError('unreachable', 'no'));
    const listContactChannels = setReader<unknown>([own()]);
    const createContactChannel = vi.fn(async () => {
      listContactChannels.set([own(), added]);
      return added;
    });
    const { visitor } = await open('#auth', {
      user: { createContactChannel } as never,
      reads: { listContactChannels },
    });
    await visitor.click(button('Add an address'));
    await visitor.type(field('New email address'), 'New@example.com{Enter}');
    expect(screen.getByRole('alert').textContent).toContain("can't reach the server");
    await visitor.click(button('Add an address'));
    expect(added.sendVerificationEmail).toHaveBeenCalledTimes(2);
    expect(createContactChannel).toHaveBeenCalledOnce();
    expect(screen.getByText('Verification email sent to New@example.com.')).toBeTruthy();
  });

  it('have a badge that says whether they are verified', async () => {
    const verified = channel('a@example.com', { isPrimary: true, isVerified: true, usedForAuth: true });
    await openAuth([verified, channel('b@example.com')]);
    expect(screen.getByText('a@example.com').nextElementSibling?.textContent).toBe('PrimaryVerifiedFor sign-in');
    expect(screen.getByText('b@example.com').nextElementSibling?.textContent).toBe('Unverified');
  });

  it('can be added when there is none, with the reason why one is needed', async () => {
    await openAuth([], { config: { passkeyEnabled: true, magicLinkEnabled: true } });
    expect(document.activeElement).not.toBe(field('New email address'));
    expect(section('Password').getByText(/Add an email address/)).toBeTruthy();
    expect(section('Passkeys').getByText(/Verify an email address/)).toBeTruthy();
    expect(section('Email code').getByText(/Verify an email address/)).toBeTruthy();
  });

  it('show a loading state and a failure', async () => {
    const listContactChannels = setReader<unknown>();
    const { visitor, container } = await open('#auth', { reads: { listContactChannels } });
    expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy();
    await act(async () => listContactChannels.fail(new RequestError('offline', 'no')));
    expect(screen.getByRole('alert').textContent).toContain("You're offline.");
    expect(await violations(container)).toEqual([]);
    await visitor.click(button('Try again'));
    expect(listContactChannels.refresh).toHaveBeenCalledOnce();
  });
});
