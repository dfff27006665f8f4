import type { Locator, Page } from 'playwright-core';
import type { Person } from './people.ts';

/** What people see on the sign-in and sign-up pages, by role and name. */
export function authForm(page: Page) {
  return {
    email: page.getByRole('textbox', { name: 'Email' }),
    password: page.getByLabel('Password', { exact: true }),
    repeat: page.getByLabel('Repeat password', { exact: true }),
    signIn: page.getByRole('button', { name: 'Sign in', exact: true }),
    signUp: page.getByRole('button', { name: 'Create account', exact: true }),
  };
}

/** The page that those who are signed in see first. */
export function shelf(page: Page): Locator {
  return page.getByRole('heading', { name: 'Your shelf', level: 1 });
}

/** The sign-in page. */
export function signInHeading(page: Page): Locator {
  return page.getByRole('heading', { name: 'Sign in' });
}

export function userMenu(page: Page, name: string): Locator {
  return page.getByRole('button', { name: `Account menu of ${name}` });
}

/** Fills in the sign-up page, which is open, and sends it. */
export async function submitSignUp(page: Page, { email, password }: Person): Promise<void> {
  const form = authForm(page);
  await form.email.fill(email);
  await form.password.fill(password);
  await form.repeat.fill(password);
  await form.signUp.click();
}

/** Fills in the sign-in page, which is open, and sends it. */
export async function submitSignIn(page: Page, { email, password }: Person): Promise<void> {
  const form = authForm(page);
  await form.email.waitFor();
  const tab = page.getByRole('tab', { name: 'Email and password' });
  if (await tab.isVisible()) await tab.click();
  await form.email.fill(email);
  await form.password.fill(password);
  await form.signIn.click();
}

/** Signs in somebody who has an account, and waits until their shelf is there. */
export async function enter(page: Page, person: Person): Promise<void> {
  await page.goto('/handler/sign-in');
  await submitSignIn(page, person);
  await shelf(page).waitFor();
}

/** What a screen reader says about an element besides its name. */
export async function descriptionOf(locator: Locator): Promise<string> {
  return locator.evaluate(element => {
    const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map(id => element.ownerDocument.getElementById(id)?.textContent?.trim() ?? '').join(' ');
  });
}

/** Whether the keyboard is at an element. */
export function hasFocus(locator: Locator): Promise<boolean> {
  return locator.evaluate(element => element === element.ownerDocument.activeElement);
}
