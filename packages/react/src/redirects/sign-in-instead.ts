import { type ClientApp, internals } from '@tessera/client';
import type { Reader } from '@tessera/client/internals';
import { goToSignIn } from './go-to-sign-in.ts';

interface PendingRedirect {
  /** The URL on which it began. */
  readonly from: string;
  readonly settled: Promise<void>;
  /** Resolves when the page has another URL, or with `settled`. */
  led?: Promise<void>;
  isLed: boolean;
  failure?: unknown;
}

const pendingRedirects = new WeakMap<ClientApp, PendingRedirect>();
const pendingAnonymousSignUps = new WeakMap<ClientApp, PendingRedirect>();

/**
 * The promise that a component without a user suspends on: it redirects to the sign-in page, once however often React
 * renders. When the page is still there afterwards, it tries again. An app without redirects waits for a sign-in.
 *
 * @throws the error of the redirect.
 */
export function signInInstead(app: ClientApp, reader: Reader<unknown>): Promise<void> {
  const departure = once(pendingRedirects, app, () => leave(app, reader));
  // Already redirected, and asked again: the router is still working, and a second redirect would look like a loop.
  if (departure.isLed || window.location.href !== departure.from) return departure.settled;
  departure.led ??= Promise.race([departure.settled, otherAddress(departure)]).then(() => {
    departure.isLed = true;
  });
  return departure.led;
}

/**
 * The promise that a component suspends on when it accepts an anonymous user: it creates one, and the reader of the user
 * then has it.
 *
 * @throws the error of the sign-up.
 */
export function anonymousInstead(app: ClientApp): Promise<void> {
  return once(pendingAnonymousSignUps, app, () => app[internals].signUpAnonymously()).settled;
}

function once(
  pending: WeakMap<ClientApp, PendingRedirect>,
  app: ClientApp,
  start: () => Promise<void>,
): PendingRedirect {
  const departure = pending.get(app) ?? depart();
  if ('failure' in departure) throw departure.failure;
  return departure;

  function depart(): PendingRedirect {
    const started: PendingRedirect = {
      from: window.location.href,
      isLed: false,
      settled: start().then(forget, keepFailure),
    };
    pending.set(app, started);
    return started;

    // The error must be thrown while rendering: React retries only when the promise that it waits for rejects.
    function keepFailure(error: unknown) {
      started.failure = error;
    }
  }

  function forget() {
    pending.delete(app);
  }
}

const lookMs = 50;

/**
 * A redirect counts as finished only after a while, because pages unload slowly; a router navigates at once. The
 * navigation cannot be observed by a listener: inside a boundary that shows nothing yet, React has not mounted the router.
 */
async function otherAddress({ from, settled }: PendingRedirect): Promise<void> {
  let isOver = false;
  void settled.then(() => {
    isOver = true;
  });
  while (!isOver && window.location.href === from) await new Promise(resolve => setTimeout(resolve, lookMs));
}

async function leave(app: ClientApp, reader: Reader<unknown>): Promise<void> {
  await goToSignIn(app);
  if (app[internals].redirectMethod === 'none') await changeOf(reader);
}

function changeOf(reader: Reader<unknown>): Promise<void> {
  return new Promise(resolve => {
    const stop = reader.subscribe(() => {
      stop();
      resolve();
    });
  });
}
