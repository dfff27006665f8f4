import type { Locator, Page } from 'playwright-core';
import { register } from './api.ts';
import { linkIn, mailTo } from './mail.ts';
import type { Person } from './people.ts';
import type { DemoKeys, TesseraServer } from './tessera-server.ts';

/** The elements of the sign-in and sign-up pages, by role and name. */
export function authForm(page: Page) {
  return {
    email: page.getByRole('textbox', { name: 'Email' }),
    password: page.getByLabel('Password', { exact: true }).and(page.locator('input')),
    signIn: page.getByRole('button', { name: 'Sign in', exact: true }),
    signUp: page.getByRole('button', { name: 'Create account', exact: true }),
  };
}

/** The first page after sign-in. */
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

/** Fills in and submits the open sign-up page. */
export async function submitSignUp(page: Page, { email, password }: Person): Promise<void> {
  const form = authForm(page);
  await form.email.fill(email);
  await form.password.fill(password);
  await form.signUp.click();
}

/** Fills in and submits the open sign-in page. */
export async function submitSignIn(page: Page, { email, password }: Person): Promise<void> {
  const form = authForm(page);
  await form.email.waitFor();
  const tab = page.getByRole('tab', { name: 'Password' });
  if (await tab.isVisible()) await tab.click();
  await form.email.fill(email);
  await form.password.fill(password);
  await form.signIn.click();
}

/** Creates an account and puts its session into the browser of a page, without the time that pages take. */
export async function registerInBrowser(
  server: Pick<TesseraServer, 'url' | 'keys'>,
  page: Page,
  person: Person,
): Promise<void> {
  const { refreshToken } = await register(server, person);
  await page.context().addCookies([sessionCookie(server.keys, refreshToken)]);
}

/** Creates an account and opens the shelf with its session. */
export async function openShelf(
  server: Pick<TesseraServer, 'url' | 'keys'>,
  page: Page,
  person: Person,
): Promise<void> {
  await registerInBrowser(server, page, person);
  await page.goto('/shelf');
  await shelf(page).waitFor();
}

/** The cookie in which the SDK keeps a session. */
export function sessionCookie({ projectId }: Pick<DemoKeys, 'projectId'>, refreshToken: string) {
  return { name: `stack-refresh-${projectId}`, value: refreshToken, domain: 'localhost', path: '/' };
}

/** Signs a user in and waits for the shelf. */
export async function enter(page: Page, person: Person): Promise<void> {
  await page.goto('/handler/sign-in');
  await submitSignIn(page, person);
  await shelf(page).waitFor();
}

/** Opens the link of the verification email, and confirms it. */
export async function verifyAddress(server: Pick<TesseraServer, 'url'>, page: Page, { email }: Person): Promise<void> {
  const { search } = new URL(linkIn(await mailTo(server, email, /verif/i)), server.url);
  await page.goto(`/handler/email-verification${search}`);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('heading', { name: 'Email address verified' }).waitFor();
}

/** The accessible description of an element. */
export async function descriptionOf(locator: Locator): Promise<string> {
  return locator.evaluate(element => {
    const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map(id => element.ownerDocument.getElementById(id)?.textContent?.trim() ?? '').join(' ');
  });
}

/** Waits until an element has the focus, which a page moves shortly after it shows the element. */
export function waitForFocus(locator: Locator): Promise<void> {
  return locator.and(locator.page().locator(':focus')).waitFor();
}

/** Waits until a switch is saved. It shows the new value before, and a page that is left too early may lose the change. */
export function waitUntilSaved(toggle: Locator): Promise<void> {
  return toggle.and(toggle.page().locator('[aria-busy="false"]')).waitFor();
}

/** Types into a field that gets the focus without a click. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await waitForFocus(field);
  await field.page().keyboard.type(text);
}

/** Holds the Escape key until it repeats. */
export async function holdEscape(page: Page): Promise<void> {
  for (let count = 0; count < 4; count++) await page.keyboard.down('Escape');
  await page.keyboard.up('Escape');
}

/** Signs in at the mock provider with the keyboard only. */
export async function signInAtProvider(page: Page, provider: string, email: string): Promise<void> {
  await page.getByRole('heading', { name: `${provider} (mock provider)` }).waitFor();
  await typeInto(page.getByRole('textbox', { name: 'Email address' }), email);
  await page.keyboard.press('Enter');
}

/** Chooses an action from the menu of a row. */
export async function choose(page: Page, row: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More actions: ${row}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Adds a book on the shelf and waits until it is shown, which is before it is saved. */
export async function addBook(page: Page, title: string, note: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.getByRole('textbox', { name: 'Link, or who told you' }).fill(note);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: `Remove ${title}` }).waitFor();
}
