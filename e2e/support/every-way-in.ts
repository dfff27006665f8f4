import type { Page } from 'playwright-core';
import { section, settings } from './scenes/signed-in.ts';

const everyWayIn = {
  oauth_providers: [
    { id: 'github', account_id: '7', email: 'ada@octo.example' },
    { id: 'google', account_id: '8', email: 'ada.lovelace@gmail.example' },
  ],
  passkey_auth_enabled: true,
  otp_auth_enabled: true,
  requires_totp_mfa: true,
};

const passkeys = [
  {
    id: 'one',
    name: null,
    provider_name: 'Google Password Manager',
    device: { browser: 'Chrome 143', system: 'macOS 15.1', type: 'desktop' },
    is_synced: true,
    created_at_millis: Date.UTC(2026, 4, 3, 12),
    last_used_at_millis: Date.UTC(2026, 8, 20, 12),
  },
  {
    id: 'two',
    name: 'Work phone',
    provider_name: null,
    device: { browser: 'Firefox 140', system: 'Android 16', type: 'mobile' },
    is_synced: false,
    created_at_millis: Date.UTC(2026, 5, 1, 12),
    last_used_at_millis: null,
  },
];

const providerAccounts = everyWayIn.oauth_providers.map(({ id, email }) => ({
  provider_id: id,
  name: 'Ada Lovelace',
  email,
  connected_at_millis: Date.UTC(2026, 4, 3, 12),
}));

/** Opens the section about signing in, of a user with every sign-in method, in a tab that has not shown the settings. */
export async function showEveryWayIn(page: Page): Promise<void> {
  const list = { is_paginated: false, user_handle: 'dXNlcg', user_name: 'Ada' };
  await page.route('**/extensions/passkeys', route => route.fulfill({ json: { ...list, items: passkeys } }));
  await page.route('**/extensions/connected-accounts', route =>
    route.fulfill({ json: { items: providerAccounts, is_paginated: false } }),
  );
  await page.route('**/users/me', async route => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...everyWayIn } });
  });
  await page.goto(`${settings}#auth`);
  await section(page, 'Connected accounts').getByText('Ada Lovelace').first().waitFor();
  await section(page, 'Passkeys').getByText('Work phone').waitFor();
}
