import type { Locator, Page } from 'playwright-core';
import { register } from '../api.ts';
import { addBook, authForm, shelf, submitSignIn, submitSignUp } from '../pages.ts';
import { newPerson, type Person } from '../people.ts';
import type { Scene, Stage } from './scene.ts';
import { signedIn } from './signed-in.ts';

/** The pages of the demo, and the sign-in and sign-up pages with passwords only. */
export const demoScenes: readonly Scene[] = [
  { name: 'landing', show: visit('/', page => page.getByRole('link', { name: 'Start your shelf' })) },
  {
    name: 'landing-signed-in',
    show: signedIn(visit('/', page => page.getByRole('link', { name: 'Open your shelf' }))),
  },
  { name: 'sign-in', show: visit('/handler/sign-in', page => authForm(page).signIn) },
  { name: 'sign-in-loading', isLoading: true, show: withoutAnswers('/handler/sign-in', '[aria-busy=true]') },
  {
    name: 'sign-in-busy',
    show: async stage => {
      await visit('/handler/sign-in', page => authForm(page).signIn)(stage);
      await stage.page.route('**/auth/password/sign-in', () => undefined);
      await submitSignIn(stage.page, ada);
      await stage.page
        .locator('button[type=submit][aria-busy=true], button[type=submit][aria-disabled=true]')
        .waitFor();
    },
  },
  {
    name: 'sign-in-wrong-password',
    show: async stage => {
      await visit('/handler/sign-in', page => authForm(page).signIn)(stage);
      await submitSignIn(stage.page, ada);
      await stage.page.getByText('Incorrect email or password.').waitFor();
    },
  },
  {
    name: 'sign-in-unreachable',
    show: async stage => {
      await visit('/handler/sign-in', page => authForm(page).signIn)(stage);
      await stage.page.route('**/auth/password/sign-in', route => route.abort());
      await submitSignIn(stage.page, ada);
      await stage.page.getByRole('alert').getByText("can't reach the server").waitFor();
    },
  },
  { name: 'sign-up', show: visit('/handler/sign-up', page => authForm(page).signUp) },
  {
    name: 'sign-up-strength',
    show: async stage => {
      await visit('/handler/sign-up', page => authForm(page).signUp)(stage);
      const form = authForm(stage.page);
      await form.email.fill(ada.email);
      await form.password.fill('tulip-anchor');
      await stage.page.getByRole('button', { name: 'Show password' }).first().click();
    },
  },
  {
    name: 'sign-up-empty',
    show: async stage => {
      await visit('/handler/sign-up', page => authForm(page).signUp)(stage);
      await authForm(stage.page).signUp.click();
      await stage.page.getByText('Choose a password.').waitFor();
    },
  },
  {
    name: 'sign-up-taken',
    show: async stage => {
      const person = newPerson();
      await register(stage.server, person);
      await visit('/handler/sign-up', page => authForm(page).signUp)(stage);
      await submitSignUp(stage.page, person);
      await stage.page.getByText('An account with this email').waitFor();
    },
  },
  { name: 'sign-out-signed-out', show: visit('/handler/sign-out', page => page.getByText("You're signed out")) },
  {
    name: 'return-address-refused',
    show: async stage => {
      const person = newPerson();
      await register(stage.server, person);
      await stage.page.goto('/handler/sign-in?after_auth_return_to=https://evil.example/');
      await submitSignIn(stage.page, person);
      await authForm(stage.page).signIn.waitFor({ state: 'detached' });
      await stage.page.getByRole('heading', { name: "You're signed in" }).waitFor();
    },
  },
  {
    name: 'error',
    show: visit('/handler/error?errorCode=OAUTH_PROVIDER_ACCESS_DENIED&message=no', page =>
      page.getByText('was canceled'),
    ),
  },
  {
    name: 'error-with-code',
    show: visit('/handler/error?errorCode=SIGN_UP_NOT_ENABLED&message=no', page => page.getByText('Error code')),
  },
  {
    name: 'error-redirect-loop',
    show: visit('/handler/error?errorCode=REDIRECT_LOOP&message=no', page => page.getByText('sent back to sign-in')),
  },
  { name: 'error-unknown', show: visit('/handler/error', page => page.getByText('Something went wrong')) },
  { name: 'handler-no-such-page', show: visit('/handler/nothing', page => page.getByText('Page not found')) },
  { name: 'no-such-page', show: visit('/nothing', page => page.getByText('Nothing on this shelf')) },
  { name: 'shelf-empty', show: signedIn(visit('/shelf', page => page.getByText('Nothing here yet.'))) },
  {
    name: 'shelf',
    show: async stage => {
      await signedIn(visit('/shelf', shelf))(stage);
      for (const [title, note] of books) await addBook(stage.page, title, note);
      await stage.page.getByLabel('Place of Middlemarch').selectOption('Reading');
      await stage.page.getByRole('heading', { name: 'Reading' }).waitFor();
    },
  },
  { name: 'account', show: signedIn(visit('/account', page => page.getByRole('heading', { name: 'Your account' }))) },
  {
    name: 'account-saved',
    show: async stage => {
      await signedIn(visit('/account', page => page.getByRole('heading', { name: 'Your account' })))(stage);
      await stage.page.getByRole('textbox', { name: 'Display name' }).fill('Ada Lovelace');
      await stage.page.getByRole('button', { name: 'Save' }).click();
      await stage.page.getByText('Saved.').waitFor();
    },
  },
  {
    name: 'project-settings',
    show: visit('/project-settings', page => page.getByRole('switch', { name: /^Passkey/ })),
  },
  {
    name: 'menu',
    show: async stage => {
      await signedIn(visit('/', page => page.getByRole('link', { name: 'Open your shelf' })))(stage);
      await openMenu(stage.page);
    },
  },
  {
    name: 'menu-signed-out',
    show: async stage => {
      await visit('/', page => page.getByRole('link', { name: 'Start your shelf' }))(stage);
      await openMenu(stage.page);
    },
  },
  {
    name: 'page-failed',
    show: async stage => {
      await stage.page.route('**/api/v1/**', route => route.fulfill({ status: 500, body: 'no' }));
      await stage.page.goto('/handler/sign-in');
      await stage.page.getByRole('heading', { name: "This page couldn't be loaded" }).waitFor();
    },
  },
  { name: 'demo-not-ready', show: withoutConfig },
];

const ada: Person = { email: 'ada@example.com', password: 'correct horse battery' };

const books = [
  ['A Room of One’s Own', 'https://www.gutenberg.org/ebooks/'],
  ['Middlemarch', 'Jo, over dinner'],
  ['The Left Hand of Darkness', ''],
] as const;

type Landmark = (page: Page) => { waitFor(): Promise<void> };

function visit(path: string, landmark: Landmark): Scene['show'] {
  return async ({ page }) => {
    await page.goto(path);
    await landmark(page).waitFor();
    await anyUserMenu(page).waitFor();
  };
}

/** The page while it waits for the server. */
function withoutAnswers(path: string, landmark: string): Scene['show'] {
  return async ({ page }) => {
    await page.route('**/api/v1/**', () => undefined);
    await page.goto(path);
    await page.locator(landmark).first().waitFor();
  };
}

async function withoutConfig({ page }: Stage): Promise<void> {
  await page.route('**/config.json', route => route.fulfill({ status: 503, body: '{}' }));
  await page.goto('/');
  await page.getByRole('heading', { name: 'Shelfmark is not ready yet' }).waitFor();
}

async function openMenu(page: Page): Promise<void> {
  await anyUserMenu(page).click();
  await page.getByRole('menu').waitFor();
}

/** The account button in the header, signed in or not. It appears last. */
function anyUserMenu(page: Page): Locator {
  return page.getByRole('button', { name: /^Account menu/ });
}
