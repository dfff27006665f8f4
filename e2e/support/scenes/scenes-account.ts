import { totpCode } from '@tessera/testing/totp';
import type { Page } from 'playwright-core';
import { showEveryWayIn } from '../every-way-in.ts';
import { linkIn, mailTo } from '../mail.ts';
import { choose, registerInBrowser, typeInto } from '../pages.ts';
import { newPerson, type Person } from '../people.ts';
import { changeExtension, everything } from '../project.ts';
import type { Scene, Stage } from './scene.ts';

const settings = '/handler/account-settings';
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Opens a page as a new user. */
function signedIn(then: (stage: Stage) => Promise<void>): Scene['show'] {
  return async stage => {
    await registerInBrowser(stage.server, stage.page, newPerson());
    await then(stage);
  };
}

/** Signs a new user in and opens the account settings. */
async function openSettings({ page, server }: Stage, hash: string, title: string): Promise<void> {
  await registerInBrowser(server, page, newPerson());
  await page.goto(`${settings}${hash}`);
  await page.getByRole('heading', { level: 2, name: title }).waitFor();
}

function at(hash: string, title: string, then?: (stage: Stage) => Promise<void>): Scene['show'] {
  return async stage => {
    await openSettings(stage, hash, title);
    await then?.(stage);
  };
}

/** Creates a team on its page, and waits for the page of the team. */
async function createTeam({ page }: Stage, name: string): Promise<void> {
  await page.goto(`${settings}#team-creation`);
  await page.getByRole('textbox', { name: 'Team name' }).fill(name);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 2, name }).waitFor();
  await section(page, 'Members').getByRole('listitem').first().waitFor();
}

async function deleteAccount(page: Page, then: string | RegExp): Promise<void> {
  await page.getByText('Danger zone').click();
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('heading', { name: then }).waitFor();
}

const longName = 'The International Society for the Improvement of Difference and Analytical Engines';

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
      await page.getByText('Danger zone').click();
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
    name: 'settings-team-creation',
    switches: everything,
    show: at('#team-creation', 'Create a team'),
  },
  {
    name: 'settings-team',
    switches: everything,
    show: at('#team-creation', 'Create a team', async stage => {
      await createTeam(stage, longName);
      await section(stage.page, 'Invite a member').getByLabel('Email').fill('grace@example.com');
      await stage.page.getByRole('button', { name: 'Invite', exact: true }).click();
      await stage.page.getByRole('button', { name: 'Revoke invitation of grace@example.com' }).waitFor();
    }),
  },
  {
    name: 'settings-right-to-left',
    switches: everything,
    show: at('#team-creation', 'Create a team', async stage => {
      await createTeam(stage, 'فريق التحليل');
      await createTeam(stage, `${longName}, ${longName}`);
      await stage.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
      await stage.page.goto(`${settings}#auth`);
      await section(stage.page, 'Two-step verification').waitFor();
    }),
  },
  {
    name: 'team-invitation',
    switches: everything,
    show: async stage => {
      const code = await invitation(stage);
      await stage.page.goto(code);
      await stage.page.getByRole('button', { name: 'Join' }).waitFor();
    },
  },
  {
    name: 'team-invitation-signed-out',
    switches: everything,
    show: async stage => {
      const { link, guest } = await inviteGuest(stage);
      await stage.page.goto(link);
      await stage.page.getByText(guest.email).waitFor();
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
      await page.getByRole('heading', { level: 1, name: 'Command-line sign-in failed' }).waitFor();
    }),
  },
];

/** Invites a new user into a team, and signs them in. */
async function invitation(stage: Stage): Promise<string> {
  const { link, guest } = await inviteGuest(stage);
  await registerInBrowser(stage.server, stage.page, guest);
  return link;
}

/** Invites a person without an account into a team, and signs out. */
async function inviteGuest(stage: Stage): Promise<{ link: string; guest: Person }> {
  const guest = newPerson();
  await openSettings(stage, '#team-creation', 'Create a team');
  await createTeam(stage, longName);
  await section(stage.page, 'Invite a member').getByLabel('Email').fill(guest.email);
  await stage.page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = linkIn(await mailTo(stage.server, guest.email, /team|invit/i));
  await stage.page.context().clearCookies();
  return { link, guest };
}

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
