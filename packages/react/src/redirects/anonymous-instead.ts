import { type ClientApp, internals } from '@tessera/client';
import { asFailureOf } from '../hooks/reader.ts';

interface PendingSignUp {
  readonly ended: Promise<void>;
  readonly forgetFailure: () => void;
  failure?: { readonly error: unknown };
}

const pendingSignUps = new WeakMap<ClientApp, PendingSignUp>();

/**
 * The promise that a component suspends on when it accepts an anonymous user: it creates one, once however often React
 * renders, and the reader of the user then has it.
 *
 * @throws the error of the sign-up.
 */
export function anonymousInstead(app: ClientApp): Promise<void> {
  const signUp = pendingSignUps.get(app) ?? begin(app);
  // Thrown while rendering: React retries only when the promise that it waits for rejects.
  if (signUp.failure !== undefined) throw asFailureOf(signUp, signUp.failure.error);
  return signUp.ended;
}

function begin(app: ClientApp): PendingSignUp {
  const signUp: PendingSignUp = {
    ended: app[internals].signUpAnonymously().then(
      () => void pendingSignUps.delete(app),
      (error: unknown) => {
        signUp.failure = { error };
      },
    ),
    forgetFailure: () => void pendingSignUps.delete(app),
  };
  pendingSignUps.set(app, signUp);
  return signUp;
}
