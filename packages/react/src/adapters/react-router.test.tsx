import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter, createBrowserRouter, HashRouter, Link, Route, RouterProvider, Routes } from 'react-router';
import { expect, it, vi } from 'vitest';
import { TesseraProvider } from '../app/provider.tsx';
import { TesseraBoundary } from '../guards/boundary.tsx';
import { useApp } from '../hooks/hooks.ts';
import { heading, here, Notes, routedApp, routerScene, signIn } from '../test/router-app.tsx';
import { settle } from '../test/show.tsx';
import { redirectMethod, TesseraHandler } from './react-router.tsx';

const { assign, stops } = routerScene();

const Home = () => <Link to="/notes">Notes</Link>;

const routes = [
  { path: '/', element: <Home /> },
  { path: '/notes', element: <Notes /> },
  { path: '/handler/*', element: <TesseraHandler /> },
];

/** Opens a URL in an app with a `createBrowserRouter` router. */
async function open(address: string, base = '') {
  window.history.pushState(null, '', address);
  const router = createBrowserRouter(routes, { basename: base || '/' });
  stops.push(() => router.dispose());
  const app = routedApp(redirectMethod(router), base);
  render(
    <TesseraProvider app={app}>
      <RouterProvider router={router} />
    </TesseraProvider>,
  );
  await settle();
  return { app, visitor: userEvent.setup() };
}

it('React Router: navigation between handler pages loads no document', async () => {
  const { visitor } = await open('/handler/sign-in?after_auth_return_to=%2Fnotes');
  await visitor.click(await screen.findByRole('link', { name: 'Create an account' }));
  await heading('Create your account');
  expect(here()).toBe('/handler/sign-up?after_auth_return_to=%2Fnotes');

  window.history.back();
  await heading('Sign in');
  expect(here()).toBe('/handler/sign-in?after_auth_return_to=%2Fnotes');
  expect(assign).not.toHaveBeenCalled();
});

it('React Router: an alias is replaced in the history, so Back skips it', async () => {
  window.history.pushState(null, '', '/');
  await open('/handler/login?after_auth_return_to=%2Fnotes');
  await heading('Sign in');
  expect(here()).toBe('/handler/sign-in?after_auth_return_to=%2Fnotes');

  window.history.back();
  await screen.findByRole('link', { name: 'Notes' });
  expect(here()).toBe('/');
});

it.each(['', '/shop'])('a guarded page below "%s" leads to sign-in, and sign-in back to it', async base => {
  const { visitor } = await open(`${base}/notes`, base);
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

it('React Router: links work without a page load in a <BrowserRouter>', async () => {
  window.history.pushState(null, '', '/handler/sign-in');
  render(
    <TesseraProvider app={routedApp(redirectMethod())}>
      <BrowserRouter>
        <Routes>
          <Route path="/handler/*" element={<TesseraHandler />} />
        </Routes>
      </BrowserRouter>
    </TesseraProvider>,
  );
  await settle();
  await userEvent.click(await screen.findByRole('link', { name: 'Create an account' }));
  await heading('Create your account');
  expect(here()).toBe('/handler/sign-up');
});

it('React Router: in a <HashRouter> the handler shows the hash that it cannot serve', async () => {
  window.history.pushState(null, '', '/#/handler/sign-in');
  render(
    <TesseraProvider app={routedApp(redirectMethod())}>
      <HashRouter>
        <Routes>
          <Route path="/handler/*" element={<TesseraHandler />} />
        </Routes>
      </HashRouter>
    </TesseraProvider>,
  );
  await heading("This page isn't set up correctly");
  expect(screen.getByText(/^The handler serves/).textContent).toContain('/handler, not #/handler/sign-in.');
});

it('React Router: signing out on a guarded page leads to the after-sign-out URL of the app', async () => {
  const { app, visitor } = await open('/notes');
  await signIn(visitor);
  await screen.findByText('Notes of ada@example.com');
  await app.signOut();
  await screen.findByRole('link', { name: 'Notes' });
  expect(here()).toBe('/');
});

function ProjectName() {
  return <p>{useApp().useProject().displayName}</p>;
}

it('React Router: a page with a boundary of its own shows the spinner while its hooks read after a link', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  window.history.pushState(null, '', '/');
  const project = (
    <TesseraBoundary>
      <ProjectName />
    </TesseraBoundary>
  );
  const router = createBrowserRouter([
    { path: '/', element: <Link to="/project">Project</Link> },
    { path: '/project', element: project },
  ]);
  stops.push(() => router.dispose());
  render(
    <TesseraProvider app={routedApp(redirectMethod(router))}>
      <TesseraBoundary>
        <RouterProvider router={router} />
      </TesseraBoundary>
    </TesseraProvider>,
  );
  await userEvent.click(await screen.findByRole('link', { name: 'Project' }));
  expect(await screen.findByRole('img', { name: 'Loading' })).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});
