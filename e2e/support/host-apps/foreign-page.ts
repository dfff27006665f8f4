import { StackClientApp } from '@stackframe/js';

/** Settings that the server of the page inserts. */
declare global {
  interface Window {
    foreignApp: { readonly projectId: string; readonly publishableClientKey: string; readonly baseUrl: string };
  }
}

/** An app that was written for the hosted service: a page that signs in with a provider, and its callback. */
const app = new StackClientApp({
  ...window.foreignApp,
  tokenStore: 'cookie',
  redirectMethod: 'window',
  noAutomaticPrefetch: true,
});

async function show(): Promise<void> {
  if (window.location.pathname === '/handler/oauth-callback') {
    await app.callOAuthCallback();
    return;
  }
  if (window.location.pathname === '/handler/error') {
    display(`failed with ${new URLSearchParams(window.location.search).get('errorCode')}`);
    return;
  }
  if (window.location.pathname !== '/') return;
  const user = await app.getUser();
  if (user === null) {
    display('signed out');
    add('Sign in with GitHub', () => app.signInWithOAuth('github'));
    return;
  }
  const { accessToken } = await user.getAuthJson();
  display(`signed in as ${user.primaryEmail} with ${user.oauthProviders.map(({ id }) => id).join(' and ')}`);
  document.body.dataset.accessToken = accessToken ?? '';
  add('Sign out', () => user.signOut());
}

function display(words: string): void {
  const line = document.createElement('p');
  line.textContent = words;
  document.body.append(line);
}

function add(name: string, act: () => Promise<unknown>): void {
  const button = document.createElement('button');
  button.textContent = name;
  button.addEventListener('click', () => void act().catch((error: unknown) => display(String(error))));
  document.body.append(button);
}

show().catch((error: unknown) => display(String(error)));
