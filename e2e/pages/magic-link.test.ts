import { expect } from 'vitest';
import { codeIn, linkIn, mailTo } from '../support/mail.ts';
import { shelf, submitSignUp, typeInto, userMenu } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { changeExtension, configure, everything } from '../support/project.ts';
import { test } from '../support/test.ts';

test('a user signs up with an email code, and signs in with the link of another email', async ({
  server,
  context,
  page,
  troubles,
}) => {
  await configure(server, { magic_link_enabled: true });
  const { email } = newPerson();

  await page.goto('/handler/sign-in?after_auth_return_to=%2Fshelf');
  await page.getByRole('tab', { name: 'Email code' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.keyboard.press('Enter');
  const code = page.getByLabel('Six-character code');
  await typeInto(code, 'zzzzzz');
  await page.getByText('Incorrect code.').waitFor();
  expect(await code.inputValue()).toBe('');

  // The phone discarded the page while the user read the email.
  await page.reload();
  const mail = await mailTo(server, email, /code|sign/i);
  await typeInto(code, codeIn(mail).toLowerCase());
  await shelf(page).waitFor();

  await userMenu(page, email).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();
  await page.goto('/handler/sign-in');
  await page.getByRole('tab', { name: 'Email code' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await code.waitFor();
  expect(await page.getByRole('button', { name: /^Resend in \d+ s$/ }).isDisabled()).toBe(true);
  const first = linkIn(mail);
  const second = linkIn(await mailTo(server, email, new RegExp(`^(?![\\s\\S]*${first.slice(-20)})[\\s\\S]*code=`)));

  const other = await context.newPage();
  await other.goto(second);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.waitForURL('**/shelf');
  await shelf(other).waitFor();

  await other.goto(first);
  await other.getByRole('heading', { name: "You're signed in" }).waitFor();
  expect(troubles).toEqual([]);
});

test('the page for email codes reports that sign-up is closed', async ({ server, page }) => {
  await configure(server, { ...everything, sign_up_enabled: false });
  await page.goto('/handler/sign-in');
  await page.getByRole('tab', { name: 'Email code' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(newPerson().email);
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByText('Sign-ups are closed.').waitFor();
});

test('a sign-up with a password asks for the code of the verification email, and the address is verified', async ({
  server,
  page,
  troubles,
}) => {
  await configure(server);
  await changeExtension(server, 'email-verification', { asks_for_code: true });
  const person = newPerson();
  await page.goto('/handler/sign-up?after_auth_return_to=%2Fshelf');
  await submitSignUp(page, person);
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await typeInto(
    page.getByLabel('Six-character code'),
    codeIn(await mailTo(server, person.email, /verify your email/i)),
  );
  await shelf(page).waitFor();
  await page.goto('/handler/account-settings#auth');
  await page.getByText(person.email).first().waitFor();
  expect(await page.getByText('Unverified').count()).toBe(0);
  expect(troubles).toEqual([]);
});

test('a user who mistyped the address at sign-up corrects it, and the other address stays free', async ({
  server,
  page,
  troubles,
}) => {
  await configure(server);
  await changeExtension(server, 'email-verification', { asks_for_code: true });
  const [mistyped, person] = [newPerson(), newPerson()];
  await page.goto('/handler/sign-up?after_auth_return_to=%2Fshelf');
  await submitSignUp(page, { ...person, email: mistyped.email });
  await page.getByRole('button', { name: 'Change: Email' }).click();
  const address = page.getByRole('textbox', { name: 'Email' });
  expect(await address.inputValue()).toBe(mistyped.email);
  await address.fill(person.email);
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByText(person.email).waitFor();
  await typeInto(
    page.getByLabel('Six-character code'),
    codeIn(await mailTo(server, person.email, /verify your email/i)),
  );
  await shelf(page).waitFor();
  const notice = await mailTo(server, mistyped.email, /removed/i);
  expect(notice.text).not.toContain(person.email.split('@')[0]);

  await userMenu(page, person.email).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();
  await page.goto('/handler/sign-up?after_auth_return_to=%2Fshelf');
  await submitSignUp(page, mistyped);
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  expect(troubles).toEqual([]);
});

test('the title of the demo follows the state of the page of a link', async ({ page }) => {
  await page.goto('/handler/magic-link-callback?code=abc');
  await page.getByRole('heading', { name: 'Sign in on this browser?' }).waitFor();
  await expect.poll(() => page.title()).toBe('Sign in on this browser? · Shelfmark');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => page.title()).toBe("This link doesn't work · Shelfmark");
});
