import { openSmtpSink } from '@tessera/testing/smtp-sink';
import { afterAll, expect } from 'vitest';
import { call, register, signIn } from './support/api.ts';
import { codeIn, deliveredTo, linkIn } from './support/mail.ts';
import { authForm, shelf, submitSignIn, submitSignUp, typeInto, userMenu } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { configure } from './support/project.ts';
import { test as base } from './support/test.ts';

/** Journeys with emails that arrive at a mail server. */

const mailbox = await openSmtpSink();
afterAll(() => mailbox.close());

const test = base.extend(
  'serverEnv',
  { scope: 'file' },
  { TESSERA_SMTP_URL: mailbox.url, TESSERA_MAIL_FROM: 'front-door@tessera.example' },
);

test('a user signs up and verifies the address with the link in the email', async ({ server, page, troubles }) => {
  const person = newPerson();
  await page.goto('/handler/sign-up');
  await submitSignUp(page, person);
  await shelf(page).waitFor();

  const mail = await deliveredTo(mailbox, person.email, /^Verify your email at Demo$/);
  expect(mail.envelope).toEqual({ from: 'front-door@tessera.example', to: [person.email] });
  expect(mail.headers).toMatchObject({ to: person.email, from: 'Demo <front-door@tessera.example>' });
  await page.goto(linkIn(mail));
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('heading', { name: 'Email address verified' }).waitFor();

  const { access_token: accessToken } = await (await signIn(server, person)).json();
  const me = await (await call(server, 'GET /users/me', { accessToken })).json();
  expect(me).toMatchObject({ primary_email: person.email, primary_email_verified: true });
  expect(troubles).toEqual([]);
});

test('a user signs in with the code of one email, and with the link of another', async ({ server, page, troubles }) => {
  await configure(server, { magic_link_enabled: true });
  const { email } = newPerson();
  await page.goto('/handler/sign-in?after_auth_return_to=%2Fshelf');
  await page.getByRole('tab', { name: 'Email code' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.keyboard.press('Enter');
  const first = await deliveredTo(mailbox, email, /^Sign in to Demo: Your code is [0-9A-Z]{6}$/);
  expect(first.subject).toContain(codeIn(first));
  await typeInto(page.getByLabel('Six-character code'), codeIn(first));
  await shelf(page).waitFor();

  await userMenu(page, email).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();
  await page.goto('/handler/sign-in');
  await page.getByRole('tab', { name: 'Email code' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByLabel('Six-character code').waitFor();
  const second = await deliveredTo(mailbox, email, new RegExp(`code is (?!${codeIn(first)})`));
  await page.goto(linkIn(second));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/shelf');
  await shelf(page).waitFor();
  expect(troubles).toEqual([]);
});

test('a user who forgot the password sets a new one with the link in the email', async ({ server, page, troubles }) => {
  const person = newPerson();
  const password = `${person.password}, again`;
  await register(server, person);
  await page.goto('/handler/forgot-password');
  await authForm(page).email.fill(person.email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await page.goto(linkIn(await deliveredTo(mailbox, person.email, /^Reset your password at Demo$/)));
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await userMenu(page, person.email).waitFor();

  await page.context().clearCookies();
  await page.goto('/handler/sign-in');
  await submitSignIn(page, { ...person, password });
  await shelf(page).waitFor();
  expect(troubles).toEqual([]);
});

test('an email that the mail server accepted is not caught as well', async ({ server }) => {
  const { items } = await (await fetch(`${server.url}/dev/mail.json`)).json();
  expect(items).toEqual([]);
});
