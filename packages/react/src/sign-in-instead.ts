import { type ClientApp, internals } from '@tessera/client';
import type { Reader } from '@tessera/client/internals';

interface Departure {
  readonly settled: Promise<void>;
  failure?: unknown;
}

const departures = new WeakMap<ClientApp, Departure>();

/**
 * What a component without a user suspends on: goes to the sign-in page, once however often React renders. Where the
 * page is still there afterwards, it is tried again, and where the app makes no redirects, somebody has to sign in.
 *
 * @throws what the redirect failed with.
 */
export function signInInstead(app: ClientApp, reader: Reader<unknown>): Promise<void> {
  const departure = departures.get(app) ?? depart(app, reader);
  if ('failure' in departure) throw departure.failure;
  return departure.settled;
}

function depart(app: ClientApp, reader: Reader<unknown>): Departure {
  const departure: Departure = { settled: leave(app, reader).then(forget, keepFailure) };
  departures.set(app, departure);
  return departure;

  function forget() {
    departures.delete(app);
  }

  // A failure must be thrown while rendering: React only tries again when the promise that it waits for rejects.
  function keepFailure(error: unknown) {
    departure.failure = error;
  }
}

async function leave(app: ClientApp, reader: Reader<unknown>): Promise<void> {
  await app.redirectToSignIn({ replace: true });
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
