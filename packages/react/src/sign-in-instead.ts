import { type ClientApp, internals } from '@tessera/client';
import type { Reader } from '@tessera/client/internals';
import { goToSignIn } from './go-to-sign-in.ts';

interface Departure {
  readonly settled: Promise<void>;
  failure?: unknown;
}

const departures = new WeakMap<ClientApp, Departure>();
const openings = new WeakMap<ClientApp, Departure>();

/**
 * What a component without a user suspends on: goes to the sign-in page, once however often React renders. Where the
 * page is still there afterwards, it is tried again, and where the app makes no redirects, somebody has to sign in.
 *
 * @throws what the redirect failed with.
 */
export function signInInstead(app: ClientApp, reader: Reader<unknown>): Promise<void> {
  return once(departures, app, () => leave(app, reader));
}

/**
 * What a component suspends on that takes anybody: an account is opened, and the reader of the user then has it.
 *
 * @throws what that failed with.
 */
export function anonymousInstead(app: ClientApp): Promise<void> {
  return once(openings, app, () => app[internals].signUpAnonymously());
}

function once(pending: WeakMap<ClientApp, Departure>, app: ClientApp, start: () => Promise<void>): Promise<void> {
  const departure = pending.get(app) ?? depart();
  if ('failure' in departure) throw departure.failure;
  return departure.settled;

  function depart(): Departure {
    const started: Departure = { settled: start().then(forget, keepFailure) };
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
