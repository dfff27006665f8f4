import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { TesseraProvider } from '../app/provider.tsx';
import { heading, here, Notes, routedApp, routerScene, signIn } from '../test/router-app.tsx';
import { settle } from '../test/show.tsx';
import { redirectMethod, TesseraHandler } from './tanstack-router.tsx';

const { assign, stops } = routerScene();

const root = createRootRoute();
const routeTree = root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/', component: () => <Link to="/notes">Notes</Link> }),
  createRoute({ getParentRoute: () => root, path: '/notes', component: Notes }),
  createRoute({ getParentRoute: () => root, path: '/handler/$', component: () => <TesseraHandler /> }),
]);

/** Opens a URL in an app with a router. */
async function open(address: string, { base = '', knowsRouter = true } = {}) {
  window.history.pushState(null, '', address);
  const history = createBrowserHistory();
  stops.push(() => history.destroy());
  const router = createRouter({ routeTree, history, basepath: base || '/' });
  const app = routedApp(redirectMethod(knowsRouter ? router : undefined), base);
  render(
    <TesseraProvider app={app}>
      <RouterProvider router={router} />
    </TesseraProvider>,
  );
  await settle();
  return { app, visitor: userEvent.setup() };
}

it('TanStack Router: navigation between handler pages loads no document', async () => {
  const { visitor } = await open('/handler/sign-in?after_auth_return_to=%2Fnotes');
  await visitor.click(await screen.findByRole('link', { name: 'Create an account' }));
  await heading('Create your account');
  expect(here()).toBe('/handler/sign-up?after_auth_return_to=%2Fnotes');

  window.history.back();
  await heading('Sign in');
  expect(here()).toBe('/handler/sign-in?after_auth_return_to=%2Fnotes');
  expect(assign).not.toHaveBeenCalled();
});

it('TanStack Router: an alias is replaced in the history, so Back skips it', async () => {
  window.history.pushState(null, '', '/');
  await open('/handler/login?after_auth_return_to=%2Fnotes');
  await heading('Sign in');
  expect(here()).toBe('/handler/sign-in?after_auth_return_to=%2Fnotes');

  window.history.back();
  await screen.findByRole('link', { name: 'Notes' });
  expect(here()).toBe('/');
});

it.each(['', '/shop'])('a guarded page below "%s" leads to sign-in, and sign-in back to it', async base => {
  const { visitor } = await open(`${base}/notes`, { base });
  const { length } = window.history;
  await heading('Sign in');
  expect(window.location.pathname).toBe(`${base}/handler/sign-in`);
  expect(new URLSearchParams(window.location.search).get('after_auth_return_to')).toContain(`${base}/notes`);

  await signIn(visitor);
  expect(await screen.findByText('Notes of ada@example.com')).toBeTruthy();
  expect(window.location.pathname).toBe(`${base}/notes`);
  // The sign-in page took the place of the guarded page, and the guarded page that of the sign-in page.
  expect(window.history.length).toBe(length);
  expect(assign).not.toHaveBeenCalled();
});

it('TanStack Router: signing out on a guarded page leads to the after-sign-out URL of the app', async () => {
  const { app, visitor } = await open('/notes');
  await signIn(visitor);
  await screen.findByText('Notes of ada@example.com');
  await app.signOut();
  await screen.findByRole('link', { name: 'Notes' });
  expect(here()).toBe('/');
});

it('TanStack Router: links work without a page load when the app has no redirectMethod', async () => {
  const { visitor } = await open('/handler/sign-in', { knowsRouter: false });
  await visitor.click(await screen.findByRole('link', { name: 'Create an account' }));
  await heading('Create your account');
  expect(here()).toBe('/handler/sign-up');
});
