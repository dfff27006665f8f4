import { fail } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type Transaction, transaction } from '../../platform/db.ts';
import type { SigningKeys } from '../../platform/signing-keys.ts';
import { createCode } from '../codes/index.ts';
import { openSession, placeOf, signingKeysFor } from '../sessions/index.ts';
import { lockFactors } from './store.ts';
import { signedIn } from './wire.ts';

/** Somebody who has shown a first factor. */
export interface FirstFactorPassed {
  readonly projectId: string;
  readonly userId: string;
  readonly isNewUser: boolean;
  readonly request: Request;
  /** The hash that the password matched; undefined when it was not a password. */
  readonly passwordHash?: string;
}

export type SignedIn = ReturnType<typeof signedIn>;

/**
 * The last step of every sign-in: a session, or the demand for a second factor, of which there is no token of any kind
 * until it has been given (control 61). What was shown is looked at again under a lock: the account may have been
 * deleted, or its factors changed, while a password was compared.
 *
 * @returns undefined when the account is gone or has another password by now
 * @throws MULTI_FACTOR_AUTHENTICATION_REQUIRED with a code for the attempt
 */
export async function finishSignIn(passed: FirstFactorPassed, deps: Deps): Promise<SignedIn | undefined> {
  const signingKeys = await signingKeysFor(passed.projectId, deps);
  const outcome = await transaction(deps.db, tx => sessionOrAttempt(tx, passed, { signingKeys, deps }));
  if (outcome === undefined) return undefined;
  return 'attemptCode' in outcome
    ? fail('MULTI_FACTOR_AUTHENTICATION_REQUIRED', { attempt_code: outcome.attemptCode })
    : outcome;
}

async function sessionOrAttempt(
  tx: Transaction,
  passed: FirstFactorPassed,
  { signingKeys, deps }: { signingKeys: SigningKeys; deps: Deps },
): Promise<SignedIn | { attemptCode: string } | undefined> {
  const { projectId, userId, passwordHash, isNewUser } = passed;
  const factors = await lockFactors(tx, projectId, userId);
  if (factors === undefined) return undefined;
  if (passwordHash !== undefined && passwordHash !== factors.passwordHash) return undefined;
  if (!factors.requiresTotpMfa) return startSession(tx, { ...passed, signingKeys }, deps);
  const attempt = { projectId, kind: 'mfa_attempt', userId, address: null, data: { isNewUser } } as const;
  return { attemptCode: (await createCode(tx, attempt, deps)).code };
}

/** A session for somebody who has shown all factors. */
export async function startSession(
  tx: Transaction,
  { projectId, userId, request, signingKeys }: Omit<FirstFactorPassed, 'isNewUser'> & { signingKeys: SigningKeys },
  deps: Deps,
): Promise<SignedIn> {
  return signedIn(userId, await openSession(tx, { projectId, userId, place: placeOf(request), signingKeys }, deps));
}
