import { type CurrentUser, RequestError } from '@tessera/client';
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { setReader } from '../../../test/fake-app.ts';
import { button, field, open } from '../../../test/settings-page.tsx';
import { violations } from '../../../test/show.tsx';

describe('API keys', () => {
  const config = { allowUserApiKeys: true };
  const key = (fields: object) => ({
    id: 'k1',
    description: 'Deploy',
    createdAt: new Date('2026-01-02T10:00:00Z'),
    value: { lastFour: 'a1b2' },
    whyInvalid: () => null,
    revoke: vi.fn(async () => {}),
    ...fields,
  });
  const rows = () => within(screen.getByRole('list', { name: 'API keys' })).queryAllByRole('listitem');

  it('are listed in order, searched and filtered', async () => {
    const keys = [
      key({ id: 'k2', description: 'Old', whyInvalid: () => 'expired' }),
      key({}),
      key({ id: 'k3', description: 'Newer', createdAt: new Date('2026-02-02') }),
      key({ id: 'k4', description: 'Gone', whyInvalid: () => 'manually-revoked' }),
    ];
    const { visitor, container } = await open('#api-keys', {
      config,
      reads: { listApiKeys: setReader<unknown>(keys) },
    });
    expect(rows().map(row => row.querySelector('bdi')?.textContent)).toEqual(['Newer', 'Deploy', 'Old', 'Gone']);
    expect(screen.getAllByRole('button', { name: /^Revoke/ })).toHaveLength(2);
    expect(await violations(container)).toEqual([]);
    await visitor.selectOptions(screen.getByLabelText('Status'), 'Revoked');
    expect(rows()).toHaveLength(1);
    await visitor.type(field('Search'), 'nothing like it');
    expect(screen.getByText('No keys match.')).toBeTruthy();
  });

  it('are revoked after a confirmation with a checkbox', async () => {
    const mine = key({});
    const { visitor } = await open('#api-keys', { config, reads: { listApiKeys: setReader<unknown>([mine]) } });
    await visitor.click(button('Revoke: Deploy'));
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getByRole('button', { name: 'Revoke' })).toHaveProperty('disabled', true);
    expect(await violations(document.body)).toEqual([]);
    await visitor.click(dialog.getByRole('checkbox'));
    await visitor.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(mine.revoke).toHaveBeenCalledOnce();
  });

  it('are created with an expiry, shown once, and the dialog closes only after the user confirms to have saved them', async () => {
    const createApiKey = vi.fn<CurrentUser['createApiKey']>(async () => ({ value: 'pk_secret' }) as never);
    const { visitor } = await open('#api-keys', {
      config,
      user: { createApiKey },
      reads: { listApiKeys: setReader<unknown>([]) },
    });
    expect(screen.getByText('There are no API keys yet.')).toBeTruthy();
    await visitor.click(button('Create API key'));
    let dialog = within(screen.getByRole('dialog', { name: 'Create API key' }));
    expect(dialog.getByLabelText('Expires')).toHaveProperty('value', '30');
    await visitor.click(dialog.getByRole('button', { name: 'Create API key' }));
    expect(dialog.getByText('Enter a description.')).toBeTruthy();
    expect(await violations(document.body)).toEqual([]);
    await visitor.type(dialog.getByLabelText('Description'), ' CI {Enter}');
    expect(dialog.queryByRole('group')).toBeNull();
    const [options] = createApiKey.mock.calls[0] ?? [];
    expect(options).not.toHaveProperty('scopes');
    expect(options?.description).toBe('CI');
    expect(Math.round(((options?.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(30);

    dialog = within(screen.getByRole('dialog', { name: 'Your new API key' }));
    expect(dialog.getByText('pk_secret')).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Close' })).toHaveProperty('disabled', true);
    await visitor.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeTruthy();
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
    expect(await violations(document.body)).toEqual([]);
    await visitor.click(dialog.getByRole('checkbox', { name: "I've saved it" }));
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
    await visitor.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('show their scopes as badges; a key without scopes has none', async () => {
    const keys = [key({ scopes: ['read', 'write'] }), key({ id: 'k2', description: 'Old', scopes: null })];
    const { container } = await open('#api-keys', { config, reads: { listApiKeys: setReader<unknown>(keys) } });
    const badges = rows().map(row => [...row.querySelectorAll('.tessera-badge')].map(badge => badge.textContent));
    expect(badges).toEqual([['Valid', 'read', 'write'], ['Valid']]);
    expect(await violations(container)).toEqual([]);
  });

  it('are created with the chosen scopes, at least one, where the app has scopes', async () => {
    const createApiKey = vi.fn<CurrentUser['createApiKey']>(async () => ({ value: 'pk_secret' }) as never);
    const reads = { listApiKeys: setReader<unknown>([]) };
    const { visitor } = await open('#api-keys', {
      config,
      user: { createApiKey },
      reads,
      apiKeyScopes: ['read', 'write'],
    });
    await visitor.click(button('Create API key'));
    const dialog = within(screen.getByRole('dialog'));
    await visitor.type(dialog.getByLabelText('Description'), 'CI{Enter}');
    expect(dialog.getByRole('alert').textContent).toBe('Choose at least one scope.');
    expect(createApiKey).not.toHaveBeenCalled();
    const group = within(dialog.getByRole('group', { name: 'Scopes' }));
    for (const name of ['read', 'write', 'read']) await visitor.click(group.getByRole('checkbox', { name }));
    expect(await violations(document.body)).toEqual([]);
    await visitor.click(dialog.getByRole('button', { name: 'Create API key' }));
    expect(createApiKey.mock.calls[0]?.[0]).toMatchObject({ description: 'CI', scopes: ['write'] });
  });

  it('stay in the open dialog when the request fails', async () => {
    const createApiKey = vi.fn(async () => {
      throw new RequestError('unreachable', 'no');
    });
    const { visitor } = await open('#api-keys', {
      config,
      user: { createApiKey },
      reads: { listApiKeys: setReader<unknown>([]) },
    });
    await visitor.click(button('Create API key'));
    const dialog = within(screen.getByRole('dialog'));
    await visitor.type(dialog.getByLabelText('Description'), 'CI{Enter}');
    expect(dialog.getByRole('alert').textContent).toContain("can't reach the server");
    expect(dialog.getByLabelText('Description')).toHaveProperty('value', 'CI');
  });
});
