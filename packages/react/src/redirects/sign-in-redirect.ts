import { type ClientApp, internals } from '@tessera/client';
import type { Reader } from '@tessera/client/internals';
import { asFailureOf } from '../hooks/reader.ts';

/**
 * How far a page without a user has come on the way to the sign-in page. Each app has at most one such redirect:
 *
 * - `waiting`: the user has signed out on this page. The app has a second to redirect by itself.
 * - `redirecting`: the redirect to sign-in runs, and the URL is still that of the page.
 * - `moved`: the URL has changed, and the redirect still runs, e.g. in a router.
 * - `failed`: the redirect was refused.
 *
 * A redirect that ends without a failure is forgotten. A page that still has no user then begins another one.
 *
 * The client makes the redirect, and lets a redirect of its own that has begun finish first. It cannot know that the app
 * navigates by itself after a sign-out, nor when React may render again: only this file waits for these.
 */
type Phase = 'waiting' | 'redirecting' | 'moved' | 'failed';

const redirects = new WeakMap<ClientApp, SignInRedirect>();

/** Apps that have had a signed-in user on this page. */
const appsWithUser = new WeakSet<ClientApp>();

/** Remembers that a user was signed in, so that a sign-out can be recognised later. */
export function rememberSignedInUser(app: ClientApp): void {
  appsWithUser.add(app);
}

/** Redirects to the sign-in page, which leads back here. A failure leaves the page as it is. */
export function leaveForSignIn(app: ClientApp, reader: Reader<unknown>): void {
  const current = redirects.get(app);
  if (current === undefined || current.phase === 'failed') begin(app, reader, 0);
}

/**
 * The promise that a component without a user suspends on: it redirects to the sign-in page, once however often React
 * renders. When the page is still there afterwards, it tries again. An app without redirects waits for a sign-in.
 *
 * @throws the error of the redirect.
 */
export function signInInstead(app: ClientApp, reader: Reader<unknown>): Promise<void> {
  const redirect = redirects.get(app) ?? begin(app, reader, commitMs);
  // Thrown while rendering: React retries only when the promise that it waits for rejects.
  if (redirect.phase === 'failed') throw asFailureOf(redirect, redirect.failure);
  return redirect.wait();
}

function begin(app: ClientApp, reader: Reader<unknown>, delayMs: number): SignInRedirect {
  const redirect = new SignInRedirect(app, reader, delayMs);
  redirects.set(app, redirect);
  return redirect;
}

/** How long the app has to redirect after sign-out before the sign-in page is opened. */
const ownRedirectMs = 1000;

/** How long Next.js has to write the URL of a page, which it renders before. The sign-in leads back to this URL. */
const commitMs = 100;

/** How often the URL is compared. */
const lookMs = 50;

class SignInRedirect {
  phase: Phase;
  failure: unknown;
  /** The next render without a user begins another redirect. */
  readonly forgetFailure: () => void;
  readonly #from = window.location.href;
  readonly #ended: Promise<void>;
  #moved: Promise<void> | undefined;

  constructor(app: ClientApp, reader: Reader<unknown>, delayMs: number) {
    this.phase = appsWithUser.delete(app) ? 'waiting' : 'redirecting';
    this.forgetFailure = () => void redirects.delete(app);
    this.#ended = this.#leave(app, reader, delayMs).then(
      () => void redirects.delete(app),
      (error: unknown) => {
        this.phase = 'failed';
        this.failure = error;
      },
    );
  }

  /** Resolves when the page should be rendered again. */
  wait(): Promise<void> {
    // Rendered again after the URL has changed: the router is still working, and another redirect would look like a loop.
    if (this.phase === 'moved' || window.location.href !== this.#from) return this.#ended;
    this.#moved ??= this.#urlChange();
    return this.#moved;
  }

  async #leave(app: ClientApp, reader: Reader<unknown>, delayMs: number): Promise<void> {
    const isRedirected = app[internals].redirectMethod !== 'none';
    const withinMs = this.phase === 'waiting' ? ownRedirectMs : delayMs;
    if (isRedirected && withinMs > 0 && (await isNavigatingAway(this.#from, withinMs))) return;
    this.phase = 'redirecting';
    await app.redirectToSignIn({ replace: true });
    if (!isRedirected) await changeOf(reader);
  }

  /**
   * A redirect ends only after a while, because pages unload slowly; a router navigates at once. The navigation cannot be
   * observed by a listener: inside a boundary that shows nothing yet, React has not mounted the router.
   */
  async #urlChange(): Promise<void> {
    let isOver = false;
    const end = this.#ended.then(() => {
      isOver = true;
    });
    while (!isOver && window.location.href === this.#from) await Promise.race([end, delay(lookMs)]);
    if (!isOver) this.phase = 'moved';
  }
}

/** Whether the URL changes, or the page unloads, within this time. */
async function isNavigatingAway(from: string, withinMs: number): Promise<boolean> {
  let isUnloading = false;
  const markUnload = () => {
    isUnloading = true;
  };
  window.addEventListener('beforeunload', markUnload);
  await delay(withinMs);
  window.removeEventListener('beforeunload', markUnload);
  return isUnloading || window.location.href !== from;
}

function delay(delayMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, delayMs));
}

function changeOf(reader: Reader<unknown>): Promise<void> {
  return new Promise(resolve => {
    const stop = reader.subscribe(() => {
      stop();
      resolve();
    });
  });
}
