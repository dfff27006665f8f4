import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openAuth, own, section } from '../../../test/settings-page.tsx';
import { violations } from '../../../test/show.tsx';

describe('connected accounts', () => {
  it('are listed with the account name of the provider', async () => {
    const oauthProviders = [{ id: 'github', account_id: '7', email: 'ada@octo.example' }, { id: 'acme' }];
    const { container } = await openAuth([own()], { user: { oauthProviders } });
    const rows = section('Connected accounts').getAllByRole('listitem');
    expect(rows.map(row => row.textContent)).toEqual(['GitHubada@octo.example', 'acme']);
    expect(screen.getByText('You can sign in with: password, GitHub, acme.')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
  });

  it('have no section when there are none', async () => {
    await openAuth([own()]);
    expect(screen.queryByRole('region', { name: 'Connected accounts' })).toBeNull();
  });
});
