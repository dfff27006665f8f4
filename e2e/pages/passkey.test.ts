import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { register } from '../support/api.ts';
import { linkIn, mailTo } from '../support/mail.ts';
import { enter, shelf } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { configure } from '../support/project.ts';
import { test } from '../support/test.ts';

/** Adds a virtual device with passkeys that confirms every request. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const send = session.send.bind(session);
  return {
    passkeys: async () => (await send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    refuse: () => send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
  };
}

const clickPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' }).click();

/** The virtual device confirms the autofill prompt too, and may do so before the click. */
const orAutofill = (click: Promise<void>, outcome: Promise<void>) => Promise.any([click, outcome]);

test('control 69: a user adds a passkey, signs in with it, and deletes it', async ({ server, page, troubles }) => {
  await configure(server, { passkey_enabled: true });
  const authenticator = await addAuthenticator(page);
  const person = newPerson();
  await register(server, person);
  const { search } = new URL(linkIn(await mailTo(server, person.email, /verif/i)), server.url);
  await page.goto(`/handler/email-verification${search}`);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('heading', { name: 'Email address verified' }).waitFor();
  await enter(page, person);

  await page.goto('/handler/account-settings#auth');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('You can sign in with a passkey.').waitFor();
  expect(await authenticator.passkeys()).toBe(1);

  await page.context().clearCookies();
  await page.goto('/handler/sign-in?after_auth_return_to=%2Fshelf');
  await orAutofill(clickPasskey(page), shelf(page).waitFor());
  await shelf(page).waitFor();

  await page.goto('/handler/account-settings#auth');
  await page.getByRole('button', { name: 'Delete all passkeys' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all passkeys' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor();

  // The device still has the passkey, and the server refuses it.
  await page.context().clearCookies();
  await page.goto('/handler/sign-in');
  const refusal = page.getByText("This passkey wasn't accepted.").first();
  await orAutofill(clickPasskey(page), refusal.waitFor());
  await refusal.waitFor();
  expect(troubles).toEqual([]);
});
