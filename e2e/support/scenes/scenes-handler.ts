import type { Page } from 'playwright-core';
import { register } from '../api.ts';
import { codeIn, linkIn, mailTo } from '../mail.ts';
import { authForm, submitSignIn, submitSignUp, typeInto } from '../pages.ts';
import { newPerson } from '../people.ts';
import { everything } from '../project.ts';
import type { Scene, Stage } from './scene.ts';

const { oauth_providers } = everything;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Opens a page and waits for its heading. */
function visit(path: string, title: string): Scene['show'] {
  return async ({ page }) => {
    await page.goto(path);
    await heading(page, title).waitFor();
  };
}

async function askForCode({ page }: Stage, email: string): Promise<void> {
  await page.goto('/handler/sign-in');
  await page.getByRole('tab', { name: 'Email code' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByLabel('Six-character code').waitFor();
}

/** Requests a password reset and returns the link. */
async function resetLink({ page, server }: Stage): Promise<string> {
  const person = newPerson();
  await register(server, person);
  await page.goto('/handler/forgot-password');
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await heading(page, 'Check your email').waitFor();
  return linkIn(await mailTo(server, person.email, /reset/i));
}

/** The handler pages without the account settings, in the states that `scenes.ts` does not have. */
export const handlerScenes: readonly Scene[] = [
  {
    name: 'sign-in-everything',
    switches: everything,
    show: async stage => {
      await visit('/handler/sign-in', 'Sign in')(stage);
      await stage.page.getByRole('button', { name: 'Sign in with Spotify' }).waitFor();
    },
  },
  {
    name: 'sign-in-last-used',
    switches: everything,
    show: async stage => {
      await stage.page.goto('/');
      await stage.page.evaluate(() => localStorage.setItem('_STACK_AUTH.lastUsed', 'github'));
      await visit('/handler/sign-in', 'Sign in')(stage);
      await stage.page.getByText('Last used').waitFor();
    },
  },
  {
    name: 'sign-up-everything',
    switches: everything,
    show: async ({ page }) => {
      await page.goto('/handler/sign-up');
      await page.getByRole('tab', { name: 'Password' }).click();
      await authForm(page).signUp.waitFor();
    },
  },
  {
    name: 'sign-in-providers-only',
    switches: { credential_enabled: false, ...(oauth_providers && { oauth_providers }) },
    show: visit('/handler/sign-in', 'Sign in'),
  },
  {
    name: 'sign-in-no-method',
    switches: { credential_enabled: false },
    show: async ({ page }) => {
      await page.goto('/handler/sign-in');
      await page.getByText('No sign-in method is turned on').waitFor();
    },
  },
  {
    name: 'sign-up-closed',
    switches: { sign_up_enabled: false },
    show: visit('/handler/sign-up', 'Sign-ups are closed'),
  },
  {
    name: 'passkey-offer',
    switches: { passkey_enabled: true },
    show: async ({ page, server }) => {
      await page.addInitScript(() => {
        PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = async () => true;
      });
      await page.route('**/users/me', async route => {
        const response = await route.fetch();
        const json = { ...(await response.json()), primary_email_verified: true };
        await route.fulfill({ response, json });
      });
      const person = newPerson();
      await register(server, person);
      await page.goto('/handler/sign-in');
      await submitSignIn(page, person);
      await page.getByRole('heading', { name: 'Sign in faster next time' }).waitFor();
    },
  },
  {
    name: 'sign-up-code',
    show: async ({ page }) => {
      await page.route('**/auth/password/sign-up', async route => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), email_verification_nonce: 'n' } });
      });
      await page.goto('/handler/sign-up');
      await submitSignUp(page, newPerson());
      await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    },
  },
  {
    name: 'magic-link-code',
    switches: everything,
    show: async stage => {
      await askForCode(stage, newPerson().email);
      await typeInto(stage.page.getByLabel('Six-character code'), 'a1b');
    },
  },
  {
    name: 'magic-link-code-wrong',
    switches: everything,
    show: async stage => {
      await askForCode(stage, newPerson().email);
      await typeInto(stage.page.getByLabel('Six-character code'), 'zzzzzz');
      await stage.page.getByText('Incorrect code.').waitFor();
    },
  },
  {
    name: 'magic-link-question',
    switches: everything,
    show: async stage => {
      const { email } = newPerson();
      await askForCode(stage, email);
      await visit(linkIn(await mailTo(stage.server, email, /code|sign/i)), 'Sign in on this browser?')(stage);
    },
  },
  {
    name: 'magic-link-used',
    switches: everything,
    show: async stage => {
      const { email } = newPerson();
      await askForCode(stage, email);
      const mail = await mailTo(stage.server, email, /code|sign/i);
      await typeInto(stage.page.getByLabel('Six-character code'), codeIn(mail));
      await stage.page.waitForURL('**/shelf');
      await stage.page.context().clearCookies();
      await visit(linkIn(mail), 'Sign in on this browser?')(stage);
      await stage.page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await heading(stage.page, 'This link has already been used').waitFor();
    },
  },
  { name: 'magic-link-invalid', show: visit('/handler/magic-link-callback', "This link doesn't work") },
  { name: 'forgot-password', show: visit('/handler/forgot-password', 'Forgot your password?') },
  {
    name: 'forgot-password-empty',
    show: async stage => {
      await visit('/handler/forgot-password', 'Forgot your password?')(stage);
      await stage.page.getByRole('button', { name: 'Send link' }).click();
      await stage.page.getByText('Enter your email address.').waitFor();
    },
  },
  { name: 'forgot-password-sent', show: async stage => void (await resetLink(stage)) },
  { name: 'password-reset', show: async stage => visit(await resetLink(stage), 'Choose a new password')(stage) },
  { name: 'password-reset-invalid', show: visit('/handler/password-reset?code=nothing', "This link doesn't work") },
  {
    name: 'password-reset-checking',
    isLoading: true,
    show: async ({ page }) => {
      await page.route('**/auth/password/reset/check-code', () => undefined);
      await page.goto(`/handler/password-reset?code=${'a'.repeat(45)}`);
      await page.getByRole('img', { name: 'Checking the link' }).waitFor();
    },
  },
  {
    name: 'oauth-callback-late',
    isLoading: true,
    show: async ({ page }) => {
      await page.route('**/auth/oauth/token', () => undefined);
      await page.goto('/');
      await page.evaluate(() => {
        // biome-ignore lint/suspicious/noDocumentCookie: as the SDK leaves it before it goes to the provider
        document.cookie = 'stack-oauth-outer-s=verifier; path=/';
      });
      await page.goto('/handler/oauth-callback?code=c&state=s');
      await page.getByText('This is taking longer than usual.').waitFor();
    },
  },
  {
    name: 'oauth-callback-failed',
    show: async ({ page }) => {
      await page.goto('/');
      await page.evaluate(() => {
        // biome-ignore lint/suspicious/noDocumentCookie: as the SDK leaves it before it goes to the provider
        document.cookie = `stack-oauth-outer-s=${'v'.repeat(43)}; path=/`;
      });
      await page.goto('/handler/oauth-callback?code=c&state=s');
      await heading(page, "We couldn't sign you in").waitFor();
    },
  },
  {
    name: 'mfa',
    show: async stage => {
      await stage.page.goto('/');
      await stage.page.evaluate(() => sessionStorage.setItem('stack_mfa_attempt_code', 'a'.repeat(45)));
      await visit('/handler/mfa', 'Two-step verification')(stage);
    },
  },
  {
    name: 'mfa-over',
    show: async stage => {
      await stage.page.goto('/');
      await stage.page.evaluate(() => sessionStorage.setItem('stack_mfa_attempt_code', 'a'.repeat(45)));
      await visit('/handler/mfa', 'Two-step verification')(stage);
      await typeInto(stage.page.getByLabel('Six-digit code'), '123456');
      await stage.page.getByText("That didn't work. Sign in again.").waitFor();
    },
  },
  {
    name: 'provider-account-exists',
    show: async stage => {
      const details = JSON.stringify({ type: 'email', contact_channel_value: 'ada.lovelace@example.com' });
      const code = 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE';
      const parameters = {
        errorCode: code,
        message: '-',
        details,
        provider: 'github',
        account_methods: 'password,google',
      };
      await visit(`/handler/error?${new URLSearchParams(parameters)}`, 'You already have an account')(stage);
    },
  },
  { name: 'mfa-missing', show: visit('/handler/mfa', 'No sign-in in progress') },
];
