import { totpCode } from '@tessera/testing/totp';
import type { Page } from 'playwright-core';
import { showEveryWayIn } from '../every-way-in.ts';
import { choose, typeInto } from '../pages.ts';
import { newPerson } from '../people.ts';
import { changeExtension, everything } from '../project.ts';
import type { Scene } from './scene.ts';
import { at, openSettings, section, settings, signedIn } from './signed-in.ts';

async function deleteAccount(page: Page, then: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('heading', { name: then }).waitFor();
}

/** The account settings, section by section. */
export const accountScenes: readonly Scene[] = [
  { name: 'settings-profile', switches: everything, show: at('#profile', 'Profile') },
  {
    name: 'settings-list',
    switches: everything,
    show: signedIn(async ({ page }) => {
      await page.goto(settings);
      await page.getByRole('heading', { level: 1, name: 'Account settings' }).waitFor();
    }),
  },
  {
    name: 'settings-name',
    show: at('#profile', 'Profile', async ({ page }) => {
      await page.getByRole('button', { name: 'Change: Display name' }).click();
      await page.getByRole('textbox', { name: 'Display name' }).fill('Ada Lovelace');
    }),
  },
  {
    name: 'settings-crop',
    show: at('#profile', 'Profile', async ({ page }) => {
      await page.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture });
      await page.getByRole('dialog', { name: 'Crop the picture' }).waitFor();
    }),
  },
  {
    name: 'settings-auth',
    switches: everything,
    show: at('#auth', 'Emails and sign-in', async ({ page }) => section(page, 'Two-step verification').waitFor()),
  },
  {
    name: 'settings-auth-all',
    switches: everything,
    show: signedIn(({ page }) => showEveryWayIn(page)),
  },
  {
    name: 'settings-passkey-menu',
    switches: everything,
    show: signedIn(async ({ page }) => {
      await showEveryWayIn(page);
      await page.getByRole('button', { name: 'More actions: Work phone' }).click();
      await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    }),
  },
  {
    name: 'settings-passkey-name',
    switches: everything,
    show: signedIn(async ({ page }) => {
      await showEveryWayIn(page);
      await choose(page, 'Work phone', 'Rename');
      await page.getByRole('dialog', { name: 'Rename passkey' }).waitFor();
    }),
  },
  {
    name: 'settings-connect',
    switches: { ...everything, oauth_providers: [{ id: 'github', type: 'shared' }] },
    show: signedIn(async ({ page }) => {
      await page.goto(`${settings}?connect=github#auth`);
      await page.getByRole('dialog', { name: 'Connect GitHub?' }).waitFor();
    }),
  },
  {
    name: 'settings-auth-add',
    show: at('#auth', 'Emails and sign-in', async ({ page }) => {
      await page.getByRole('button', { name: 'Add an address' }).click();
      await page.getByLabel('New email address').fill('ada@localhost');
      await page.getByRole('button', { name: 'Add an address' }).click();
      await page.getByText('Enter a valid email address').waitFor();
    }),
  },
  {
    name: 'settings-auth-two',
    show: at('#auth', 'Emails and sign-in', async ({ page }) => {
      await page.getByRole('button', { name: 'Add an address' }).click();
      await page
        .getByLabel('New email address')
        .fill(`a.very.long.address.${'of.someone.'.repeat(4)}${newPerson().email}`);
      await page.getByRole('button', { name: 'Add an address' }).click();
      await page.getByText('Verification email sent').waitFor();
    }),
  },
  {
    name: 'settings-password',
    show: at('#auth', 'Emails and sign-in', async ({ page }) => {
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByLabel('Current password').waitFor();
    }),
  },
  {
    name: 'settings-totp',
    show: at('#auth', 'Emails and sign-in', async ({ page }) => {
      await page.getByRole('button', { name: 'Turn on: Two-step verification' }).click();
      await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    }),
  },
  {
    name: 'settings-recovery-codes',
    show: at('#auth', 'Emails and sign-in', async ({ page }) => {
      await page.getByRole('button', { name: 'Turn on: Two-step verification' }).click();
      const code = page.getByLabel('Six-digit code');
      await code.waitFor();
      await typeInto(code, totpCode((await page.locator('code').textContent()) ?? ''));
      await page.getByRole('dialog', { name: 'Save your recovery codes' }).getByRole('listitem').last().waitFor();
    }),
  },
  {
    name: 'settings-loading',
    show: at('#profile', 'Profile', async ({ page }) => {
      await page.route('**/contact-channels?*', () => undefined);
      await page.goto(`${settings}#auth`);
      await page.getByRole('status', { name: 'Loading' }).waitFor();
    }),
  },
  {
    name: 'settings-unreachable',
    show: at('#profile', 'Profile', async ({ page }) => {
      await page.route('**/contact-channels?*', route => route.fulfill({ status: 500, body: 'no' }));
      await page.goto(`${settings}#auth`);
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    }),
  },
  {
    name: 'settings-notifications',
    show: at('#notifications', 'Notifications', async ({ page }) => page.getByRole('switch').first().waitFor()),
  },
  {
    name: 'settings-sessions',
    show: at('#sessions', 'Active sessions', async ({ page }) => page.getByText('This device').waitFor()),
  },
  {
    name: 'settings-api-keys-empty',
    switches: everything,
    show: at('#api-keys', 'API keys', async ({ page }) => page.getByText('There are no API keys yet.').waitFor()),
  },
  {
    name: 'settings-api-key-new',
    switches: everything,
    show: at('#api-keys', 'API keys', async ({ page }) => {
      await createKey(page, 'Deploy');
      await page.getByRole('dialog', { name: 'Your new API key' }).waitFor();
    }),
  },
  {
    name: 'settings-api-keys',
    switches: everything,
    show: at('#api-keys', 'API keys', async ({ page }) => {
      await createKey(page, 'Deploy from the machine under the stairs');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: /^Revoke: Deploy/ }).waitFor();
    }),
  },
  {
    name: 'settings-api-key-revoke',
    switches: everything,
    show: at('#api-keys', 'API keys', async ({ page }) => {
      await createKey(page, 'Deploy');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Revoke: Deploy' }).click();
      await page.getByRole('dialog', { name: 'Revoke this API key?' }).waitFor();
    }),
  },
  {
    name: 'settings-delete',
    switches: everything,
    show: at('#settings', 'Settings', async ({ page }) => {
      await page.getByRole('button', { name: 'Delete account' }).click();
      await page.getByRole('dialog').waitFor();
    }),
  },
  {
    name: 'account-deleted',
    switches: everything,
    show: at('#settings', 'Settings', async ({ page }) => deleteAccount(page, 'Your account has been deleted')),
  },
  {
    name: 'account-deletion',
    switches: everything,
    show: async stage => {
      await changeExtension(stage.server, 'account-deletion', { cooling_off_days: 14 });
      try {
        await openSettings(stage, '#settings', 'Settings');
        await deleteAccount(stage.page, /^Your account will be deleted on/);
      } finally {
        await changeExtension(stage.server, 'account-deletion', { cooling_off_days: 0 });
      }
    },
  },
  {
    name: 'cli-auth-confirm',
    show: signedIn(async ({ page }) => {
      await page.goto('/handler/cli-auth-confirm?login_code=c');
      await page.getByRole('button', { name: 'Authorize' }).waitFor();
    }),
  },
  {
    name: 'cli-auth-confirm-failed',
    show: signedIn(async ({ page }) => {
      await page.goto('/handler/cli-auth-confirm?login_code=c');
      await page.getByRole('button', { name: 'Authorize' }).click();
      await page.getByRole('heading', { level: 1, name: "This link doesn't work" }).waitFor();
    }),
  },
];

async function createKey(page: Page, description: string): Promise<void> {
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByLabel('Description').fill(description);
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
}

/** A picture of 2 by 1: one blue dot and one yellow one. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGNQdljw64QNAAlTAwJVQxmuAAAAAElFTkSuQmCC',
  'base64',
);
