import { fail } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import type { RequestSource } from '../../http/source.ts';
import { type Queryable, type Transaction, transaction } from '../../platform/database/database.ts';
import { signInUses } from '../../platform/rate-limits/index.ts';
import {
  openSession,
  placeOf,
  type SessionTerms,
  sessionTermsOf,
  type Tokens,
  tryOpenSession,
} from '../sessions/index.ts';
import { createCode, type MadeCode } from '../verification-codes/index.ts';
import { noteSignInSource } from './sources-store.ts';
import { lockFactors } from './store.ts';
import { signedIn } from './wire.ts';

/** Somebody who has shown a first factor. */
export interface FirstFactorPassed {
  readonly projectId: string;
  readonly userId: string;
  readonly isNewUser: boolean;
  readonly request: Request;
  readonly source: RequestSource;
  /** For the audit log: `password`, `otp`, `passkey`, `totp`, `anonymous`, or the id of an OAuth provider. */
  readonly method: string;
  /** The hash that the password matched; undefined when it was not a password. */
  readonly passwordHash?: string;
  /** Looks once more, under the lock of the account, at what was shown; undefined where that cannot have changed. */
  readonly stillHolds?: (tx: Transaction) => Promise<boolean>;
}

type PassedWithTerms = FirstFactorPassed & { readonly terms: SessionTerms };

export type SignedIn = ReturnType<typeof signedIn>;

/**
 * The last step of every sign-in: a session, or the demand for a second factor, of which there is no token of any kind
 * until it has been given (control 61). What was shown is looked at again under a lock: the account may have been
 * deleted, or its factors changed, while a password was compared.
 *
 * @returns undefined when the account is gone, or what was shown does not count any more
 * @throws MULTI_FACTOR_AUTHENTICATION_REQUIRED with a code for the attempt
 */
export async function finishSignIn(passed: FirstFactorPassed, deps: Deps): Promise<SignedIn | undefined> {
  const { projectId, userId, source } = passed;
  await deps.rateLimits.spend(signInUses(projectId, userId, source));
  const terms = await sessionTermsOf(projectId, deps);
  const tokens = await sessionAtOnce({ ...passed, terms }, deps);
  if (tokens !== undefined) {
    await noteSource(deps.db.asyncCommit, passed, deps);
    return signedIn(userId, tokens);
  }
  const outcome = await transaction(deps.db, tx => sessionOrAttempt(tx, passed, { terms, deps }));
  if (outcome === undefined) return undefined;
  return 'attempt' in outcome
    ? fail('MULTI_FACTOR_AUTHENTICATION_REQUIRED', { attempt_code: outcome.attempt.code })
    : signedIn(userId, outcome.tokens);
}

/**
 * What most sign-ins with a password come to, in one statement: the user has that password still and no second factor.
 *
 * @returns undefined for every other sign-in, and when something has changed
 */
async function sessionAtOnce(passed: PassedWithTerms, deps: Deps): Promise<Tokens | undefined> {
  const { passwordHash, stillHolds } = passed;
  if (passwordHash === undefined || stillHolds !== undefined) return undefined;
  return tryOpenSession(deps.db, { ...sessionRequestOf(passed), unchanged: { passwordHash } }, deps);
}

/** The same for a caller who has more to write in the transaction; the demand for a second factor is an answer here. */
export async function sessionOrAttempt(
  tx: Transaction,
  passed: FirstFactorPassed,
  { terms, deps }: { terms: SessionTerms; deps: Deps },
): Promise<{ tokens: Tokens } | { attempt: MadeCode } | undefined> {
  const { projectId, userId, passwordHash, isNewUser, stillHolds } = passed;
  const factors = await lockFactors(tx, projectId, userId);
  if (factors === undefined) return undefined;
  if (passwordHash !== undefined && passwordHash !== factors.passwordHash) return undefined;
  if (stillHolds !== undefined && !(await stillHolds(tx))) return undefined;
  if (!factors.requiresTotpMfa) {
    await noteSource(tx, passed, deps);
    return { tokens: await openSession(tx, sessionRequestOf({ ...passed, terms }), deps) };
  }
  const attempt = { projectId, kind: 'mfa_attempt', userId, address: null, data: { isNewUser } } as const;
  return { attempt: await createCode(tx, attempt, deps) };
}

/** A session for somebody who has shown all factors. */
export async function startSession(tx: Transaction, passed: PassedWithTerms, deps: Deps): Promise<SignedIn> {
  await noteSource(tx, passed, deps);
  return signedIn(passed.userId, await openSession(tx, sessionRequestOf(passed), deps));
}

/** Guesses from other address blocks do not lock the account for this one (control 70). */
async function noteSource(db: Queryable, passed: FirstFactorPassed, { clock }: Pick<Deps, 'clock'>): Promise<void> {
  const { projectId, userId, source } = passed;
  if (source.block === undefined) return;
  await noteSignInSource(db, { projectId, userId, block: source.block, nowMillis: clock.now() });
}

function sessionRequestOf({ projectId, userId, isNewUser, request, source, method, terms }: PassedWithTerms) {
  const details = { method, is_new_user: isNewUser };
  const event = { action: 'sign_in.succeeded', actor: { type: 'user', id: userId }, source, details } as const;
  return { projectId, userId, place: placeOf(request), terms, event };
}
