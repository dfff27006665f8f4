import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { button, choose, maybeButton, openAuth, own, section } from '../../../test/settings-page.tsx';
import { violations } from '../../../test/show.tsx';
import { showPage } from '../../../test/sign-in-page.ts';

describe('connected accounts', () => {
  it('are listed with the account name of the provider', async () => {
    const oauthProviders = [{ id: 'github', account_id: '7', email: 'ada@octo.example' }, { id: 'acme' }];
    const account = { providerId: 'github', name: 'Ada', email: 'ada@octo.example', connectedAt: new Date(2026, 4, 3) };
    const getProviderAccounts = vi.fn(async () => [account]);
    const config = { oauthProviders };
    const { container } = await openAuth([own()], { config, user: { oauthProviders, getProviderAccounts } });
    const rows = section('Connected accounts').getAllByRole('listitem');
    expect(rows.map(row => row.textContent)).toEqual(['GitHubAda · ada@octo.exampleConnected May 3, 2026', 'acme']);
    expect(screen.getByText('You can sign in with: password, GitHub, acme.')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
  });

  it('connect another provider of the project, again after the Back button has restored the page', async () => {
    const connectProvider = vi.fn(async () => new Promise<never>(() => {}));
    const config = { oauthProviders: [{ id: 'github' }, { id: 'google' }] };
    const oauthProviders = [{ id: 'github' }];
    const { visitor } = await openAuth([own()], { config, user: { oauthProviders, connectProvider } });
    expect(screen.queryByRole('button', { name: 'Connect GitHub' })).toBeNull();
    await visitor.click(button('Connect Google'));
    await visitor.click(button('Connect Google'));
    expect(connectProvider).toHaveBeenCalledExactlyOnceWith('google');

    await showPage(true);
    await visitor.click(button('Connect Google'));
    expect(connectProvider).toHaveBeenCalledTimes(2);
  });

  it('disconnect after a confirmation', async () => {
    const disconnectProvider = vi.fn(async () => {});
    const { visitor } = await openAuth([own()], { user: { oauthProviders: [{ id: 'github' }], disconnectProvider } });
    await choose(visitor, 'GitHub', 'Disconnect');
    await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Disconnect' }));
    expect(disconnectProvider).toHaveBeenCalledExactlyOnceWith('github');
  });

  it('do not disconnect the only sign-in method', async () => {
    await openAuth([own()], { user: { hasPassword: false, oauthProviders: [{ id: 'github' }] } });
    expect(maybeButton('More actions: GitHub')).toBeNull();
    expect(section('Connected accounts').getByText(/your only way to sign in/)).toBeTruthy();
  });

  it('have no section when there are none', async () => {
    await openAuth([own()]);
    expect(screen.queryByRole('region', { name: 'Connected accounts' })).toBeNull();
  });
});
