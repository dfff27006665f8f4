import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClientApp } from '../app/apps.ts';
import { TesseraProvider } from '../app/provider.tsx';
import { TesseraHandler } from '../handler/handler.tsx';
import { useUser } from '../hooks/hooks.ts';
import { UserButton } from '../lazy/parts.tsx';
import { settle } from './show.tsx';
import { stubServer } from './stub-server.ts';

const password = 'violet harbour 93 lamp';
let server = stubServer();

beforeEach(() => {
  server = stubServer();
  vi.stubGlobal('fetch', server.fetch);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
});
afterEach(async () => {
  // A sign-in ends two seconds after its redirect when the page is still there: not after the end of this file.
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  cleanup();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Welcome() {
  return <p>{useUser()?.primaryEmail ?? 'signed out'}</p>;
}

function makeApp() {
  const navigate = vi.fn();
  const app = new ClientApp({
    baseUrl: 'http://localhost:4280',
    projectId: 'p',
    publishableClientKey: 'pk',
    tokenStore: 'memory',
    redirectMethod: { useNavigate: () => navigate, navigate },
    urls: { afterSignIn: '/notes' },
  });
  return { app, navigate };
}

function ProjectName({ app }: { app: ClientApp<true> }) {
  return <p>{app.useProject().displayName}</p>;
}

async function open(app: ReturnType<typeof makeApp>['app'], location: string) {
  render(
    <TesseraProvider app={app}>
      <UserButton />
      <Welcome />
      <TesseraHandler location={location} />
    </TesseraProvider>,
  );
  await settle();
  return userEvent.setup();
}

const field = (name: string) => screen.findByLabelText(name, { selector: 'input' });

it('sign-up shows the user in every component, and redirects once', async () => {
  const { app, navigate } = makeApp();
  const visitor = await open(app, '/handler/sign-up');
  await visitor.type(await field('Email'), 'ada@example.com');
  await visitor.type(await field('Password'), password);
  await visitor.click(screen.getByRole('button', { name: 'Create account' }));

  await screen.findByText('ada@example.com', { selector: 'p' });
  await screen.findByRole('button', { name: 'Account menu of ada@example.com' });
  await waitFor(() => expect(navigate).toHaveBeenCalledExactlyOnceWith('/notes'));
  expect(server.requests.filter(route => route === 'GET /users/me')).toHaveLength(1);
  expect(server.requests.filter(route => route === 'POST /auth/password/sign-up')).toHaveLength(1);
});

it('a server that stops during sign-in loses no input, and sign-in works when it is back', async () => {
  server.addAccount('ada@example.com', password);
  const { app, navigate } = makeApp();
  const visitor = await open(app, '/handler/sign-in');
  await visitor.type(await field('Email'), 'ada@example.com');
  await visitor.type(await field('Password'), password);

  server.state.isDown = true;
  await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
  expect((await screen.findByRole('alert')).textContent).toContain("We can't reach the server.");
  expect(await field('Password')).toHaveProperty('value', password);

  server.state.isDown = false;
  await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(navigate).toHaveBeenCalledExactlyOnceWith('/notes'));
});

it('a wrong password is refused beside the password, which gets the focus', async () => {
  server.addAccount('ada@example.com', password);
  const { app } = makeApp();
  const visitor = await open(app, '/handler/sign-in');
  await visitor.type(await field('Email'), 'ada@example.com');
  await visitor.type(await field('Password'), 'not this one');
  await visitor.click(screen.getByRole('button', { name: 'Sign in' }));

  expect((await screen.findByRole('alert')).textContent).toBe('Incorrect email or password.');
  expect(document.activeElement).toBe(await field('Password'));
});

it('the app itself has hooks', async () => {
  const { app } = makeApp();
  render(
    <TesseraProvider app={app}>
      <ProjectName app={app} />
    </TesseraProvider>,
  );
  await act(async () => {});
  expect(await screen.findByText('Shelfmark')).toBeTruthy();
});
