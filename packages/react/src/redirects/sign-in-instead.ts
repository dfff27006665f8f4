import { type ClientApp, internals } from '@tessera/client';
import type { Reader } from '@tessera/client/internals';
import { goToSignIn } from './go-to-sign-in.ts';

interface PendingRedirect {
  /** Address on which it began. */
  readonly from: string;
  readonly settled: Promise<void>;
  /** When the page has another address, or with `settled`. */
  led?: Promise<void>;
  isLed: boolean;
  failure?: unknown;
}

const pendingRedirects = new WeakMap<ClientApp, PendingRedirect>();
const pendingAnonymousSignUps = new WeakMap<ClientApp, PendingRedirect>();

/**
 * What a component without a user suspends on: goes to the sign-in page, once however often React renders. Where the
 * page is still there afterwards, it is tried again, and where the app makes no redirects, somebody has to sign in.
 *
 * @throws what the redirect failed with.
 */
export function signInInstead(app: ClientApp, reader: Reader<unknown>): Promise<void> {
  const departure = once(pendingRedirects, app, () => leave(app, reader));
  // Led on, and asked for still or again: the router is on its way, and a second redirect would look like a loop.
  if (departure.isLed || window.location.href !== departure.from) return departure.settled;
  departure.led ??= Promise.race([departure.settled, otherAddress(departure)]).then(() => {
    departure.isLed = true;
  });
  return departure.led;
}

/**
 * What a component suspends on that takes anybody: an account is opened, and the reader of the user then has it.
 *
 * @throws what that failed with.
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

    // A failure must be thrown while rendering: React only tries again when the promise that it waits for rejects.
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
 * A redirect takes a while to count as over, because pages take a while to go; a router leads on at once. It cannot be
 * heard: where it stands inside of a boundary that shows nothing yet, React has not mounted it.
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
