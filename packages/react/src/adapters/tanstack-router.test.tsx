import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClientApp } from '../apps.ts';
import { useUser } from '../hooks.ts';
import { TesseraProvider } from '../provider.tsx';
import { settle } from '../test/show.tsx';
import { stubServer } from '../test/stub-server.ts';
import { redirectMethod, TesseraHandler } from './tanstack-router.tsx';

const ada = { email: 'ada@example.com', password: 'violet harbour 93 lamp' };
const assign = vi.fn();
const stops: (() => void)[] = [];

beforeEach(() => {
  const server = stubServer();
  server.addAccount(ada.email, ada.password);
  vi.stubGlobal('fetch', server.fetch);
  vi.spyOn(window.location, 'assign').mockImplementation(assign);
});
afterEach(() => {
  cleanup();
  for (const stop of stops.splice(0)) stop();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  assign.mockClear();
});

const root = createRootRoute();
const routeTree = root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/', component: () => <Link to="/notes">Notes</Link> }),
  createRoute({ getParentRoute: () => root, path: '/notes', component: Notes }),
  createRoute({ getParentRoute: () => root, path: '/handler/$', component: () => <TesseraHandler /> }),
]);

function Notes() {
  return <p>Notes of {useUser({ or: 'redirect' }).primaryEmail}</p>;
}

/** Opens the address in an app with a router. */
async function open(address: string, { base = '', knowsRouter = true } = {}) {
  window.history.pushState(null, '', address);
  const history = createBrowserHistory();
  stops.push(() => history.destroy());
  const router = createRouter({ routeTree, history, basepath: base || '/' });
  const app = new ClientApp({
    baseUrl: 'http://localhost:4280',
    projectId: 'p',
    publishableClientKey: 'pk',
    tokenStore: 'memory',
    redirectMethod: redirectMethod(knowsRouter ? router : undefined),
    urls: { handler: `${base}/handler`, home: base || '/', afterSignOut: base || '/', afterSignIn: `${base}/notes` },
  });
  render(
    <TesseraProvider app={app}>
      <RouterProvider router={router} />
    </TesseraProvider>,
  );
  await settle();
  return { app, hand: userEvent.setup() };
}

const here = () => window.location.pathname + window.location.search;
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

async function signIn(hand: ReturnType<typeof userEvent.setup>) {
  await hand.type(await screen.findByLabelText('Email'), ada.email);
  await hand.type(screen.getByLabelText('Password', { selector: 'input' }), ada.password);
  await hand.click(screen.getByRole('button', { name: 'Sign in' }));
}

it('goes from page to page and back without loading anything anew', async () => {
  const { hand } = await open('/handler/sign-in?after_auth_return_to=%2Fnotes');
  await hand.click(await screen.findByRole('link', { name: 'Create an account' }));
  await heading('Create your account');
  expect(here()).toBe('/handler/sign-up?after_auth_return_to=%2Fnotes');

  window.history.back();
  await heading('Sign in');
  expect(here()).toBe('/handler/sign-in?after_auth_return_to=%2Fnotes');
  expect(assign).not.toHaveBeenCalled();
});

it('replaces an alias, so that the way back does not lead to it', async () => {
  window.history.pushState(null, '', '/');
  await open('/handler/login?after_auth_return_to=%2Fnotes');
  await heading('Sign in');
  expect(here()).toBe('/handler/sign-in?after_auth_return_to=%2Fnotes');

  window.history.back();
  await screen.findByRole('link', { name: 'Notes' });
  expect(here()).toBe('/');
});

it.each(['', '/shop'])('a guarded page below "%s" leads to sign-in, and sign-in back to it', async base => {
  const { hand } = await open(`${base}/notes`, { base });
  await heading('Sign in');
  expect(window.location.pathname).toBe(`${base}/handler/sign-in`);
  expect(new URLSearchParams(window.location.search).get('after_auth_return_to')).toContain(`${base}/notes`);

  await signIn(hand);
  expect(await screen.findByText('Notes of ada@example.com')).toBeTruthy();
  expect(window.location.pathname).toBe(`${base}/notes`);
  expect(assign).not.toHaveBeenCalled();
});

it('whoever signs out on a guarded page is led to where the app says', async () => {
  const { app, hand } = await open('/notes');
  await signIn(hand);
  await screen.findByText('Notes of ada@example.com');
  await app.signOut();
  await screen.findByRole('link', { name: 'Notes' });
  expect(here()).toBe('/');
});

it('keeps clicks in the page where the app does not know the router', async () => {
  const { hand } = await open('/handler/sign-in', { knowsRouter: false });
  await hand.click(await screen.findByRole('link', { name: 'Create an account' }));
  await heading('Create your account');
  expect(here()).toBe('/handler/sign-up');
});
