import { fail } from '@tessera/protocol';
import type { HttpRequest } from '../../core/http-request.ts';
import type { RequestSource } from '../../core/request-source.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccessTokens } from '../../platform/crypto/access-tokens.ts';
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/database.ts';
import type { Log } from '../../platform/observability/log.ts';
import { logFailure } from '../../platform/observability/log-failure.ts';
import { type RateLimits, signInUses } from '../../platform/rate-limits/index.ts';
import { lockUser } from '../accounts/users/index.ts';
import type { Mail } from '../email/queue/index.ts';
import type { Projects } from '../projects/index.ts';
import {
  openSession,
  placeOf,
  type SessionTerms,
  sessionTermsOf,
  type Tokens,
  tryOpenSession,
} from '../sessions/index.ts';
import { createCode, type MadeCode, type PendingLink } from '../verification-codes/index.ts';
import { sendNewDeviceNotice } from './devices.ts';
import { recordSignInSource } from './sources-store.ts';
import { acceptsCode } from './store.ts';
import { signInResponse } from './wire.ts';

export interface FinishSignInDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly projects: Projects;
  readonly accessTokens: AccessTokens;
  readonly rateLimits: RateLimits;
  readonly mail: Mail;
  readonly log: Log;
}

/** A user whose first factor has been verified. */
export interface FirstFactorPassed {
  readonly projectId: string;
  readonly userId: string;
  readonly isNewUser: boolean;
  readonly request: HttpRequest;
  readonly source: RequestSource;
  /** The method in the audit log: `password`, `otp`, `passkey`, `totp`, `recovery_code`, `anonymous`, or the id of an OAuth provider. */
  readonly method: string;
  /** The hash that the password matched; undefined when it was not a password. */
  readonly passwordHash?: string;
  /** The address that got the email code; undefined when it was not a code. */
  readonly codeAddress?: string;
  /** The address block of the caller need not be recorded; undefined where that is not known. */
  readonly isRecordedSource?: boolean;
  /** A provider account that a second factor must confirm before it is linked. */
  readonly pendingLink?: PendingLink;
  /** The first factor verified the user too, so no second one is asked for. */
  readonly provesBothFactors?: boolean;
  /** Checks the first factor again under the lock of the account; undefined where it cannot have changed. */
  readonly isStillValid?: (tx: Transaction) => Promise<boolean>;
}

type PassedWithTerms = FirstFactorPassed & { readonly terms: SessionTerms };

export type SignedIn = ReturnType<typeof signInResponse>;

/**
 * The last step of every sign-in: opens a session, or requires the second factor. No token is issued before the second
 * factor is verified (control 61). The first factor is checked again under a lock, because the account may have been
 * deleted, or its factors changed, while a password was compared.
 *
 * @returns undefined when the account is deleted, or the first factor is not valid any more
 * @throws MULTI_FACTOR_AUTHENTICATION_REQUIRED with a code for the attempt
 */
export async function finishSignIn(passed: FirstFactorPassed, deps: FinishSignInDeps): Promise<SignedIn | undefined> {
  const { projectId, userId, source } = passed;
  await deps.rateLimits.spend(signInUses(projectId, userId, source));
  const terms = await sessionTermsOf(projectId, deps);
  const tokens = await openPasswordSession({ ...passed, terms }, deps);
  if (tokens !== undefined) {
    await recordOpenedSession({ ...passed, terms }, deps);
    return signInResponse(userId, tokens);
  }
  const outcome = await transaction(deps.db, tx => openSessionOrAttempt(tx, passed, { terms, deps }));
  if (outcome === undefined) return undefined;
  return 'attempt' in outcome
    ? fail('MULTI_FACTOR_AUTHENTICATION_REQUIRED', { attempt_code: outcome.attempt.code })
    : signInResponse(userId, outcome.tokens);
}

/**
 * The common case of a password sign-in, in one statement: unchanged password, and no second factor.
 *
 * @returns undefined for every other sign-in, and when the user has changed
 */
async function openPasswordSession(passed: PassedWithTerms, deps: FinishSignInDeps): Promise<Tokens | undefined> {
  const { passwordHash, isStillValid } = passed;
  if (passwordHash === undefined || isStillValid !== undefined) return undefined;
  return tryOpenSession(deps.db, { ...sessionRequestOf(passed), unchanged: { passwordHash } }, deps);
}

/** The session is open, so a failure is logged. */
async function recordOpenedSession(passed: PassedWithTerms, deps: FinishSignInDeps): Promise<void> {
  const { db, log } = deps;
  await logFailure(recordSource(db.asyncCommit, passed, deps), log, 'the source of a sign-in was not recorded');
  if (!passed.terms.sendsSignInNotices) return;
  const notice = transaction(db, tx => sendNewDeviceNotice(tx, passed, deps));
  await logFailure(notice, log, 'the device of a sign-in was not recorded');
}

/** As `finishSignIn`, in the caller's transaction. Returns the attempt of the second factor instead of throwing. */
export async function openSessionOrAttempt(
  tx: Transaction,
  passed: FirstFactorPassed,
  { terms, deps }: { terms: SessionTerms; deps: FinishSignInDeps },
): Promise<{ tokens: Tokens } | { attempt: MadeCode } | undefined> {
  const { projectId, userId, passwordHash, codeAddress, isNewUser, method, isStillValid, pendingLink } = passed;
  const factors = await lockUser(tx, { projectId, userId }, 'change');
  if (factors === undefined) return undefined;
  if (passwordHash !== undefined && passwordHash !== factors.passwordHash) return undefined;
  if (codeAddress !== undefined && !(await acceptsCode(tx, { projectId, userId, address: codeAddress })))
    return undefined;
  if (isStillValid !== undefined && !(await isStillValid(tx))) return undefined;
  if (!factors.requiresTotpMfa || passed.provesBothFactors === true) {
    return { tokens: await openRecordedSession(tx, { ...passed, terms }, deps) };
  }
  const data = { isNewUser, method, codeAddress, pendingLink };
  const attempt = { projectId, kind: 'mfa_attempt', userId, address: null, data } as const;
  return { attempt: await createCode(tx, attempt, deps) };
}

/** Opens a session for a user who has passed all factors. */
export async function startSession(
  tx: Transaction,
  passed: PassedWithTerms,
  deps: FinishSignInDeps,
): Promise<SignedIn> {
  return signInResponse(passed.userId, await openRecordedSession(tx, passed, deps));
}

/** As `startSession`, for a caller that needs the session. */
export async function openRecordedSession(
  tx: Transaction,
  passed: PassedWithTerms,
  deps: FinishSignInDeps,
): Promise<Tokens> {
  await recordSource(tx, passed, deps);
  if (passed.terms.sendsSignInNotices) await sendNewDeviceNotice(tx, passed, deps);
  return openSession(tx, sessionRequestOf(passed), deps);
}

/** Records the caller's address block: guesses from other blocks do not lock the account for this one (control 70). */
async function recordSource(
  db: Queryable,
  passed: FirstFactorPassed,
  { clock }: { readonly clock: Clock },
): Promise<void> {
  const { projectId, userId, source, isRecordedSource = false } = passed;
  if (source.block === undefined || isRecordedSource) return;
  await recordSignInSource(db, { projectId, userId, block: source.block, nowMillis: clock.now() });
}

function sessionRequestOf({ projectId, userId, isNewUser, request, source, method, terms }: PassedWithTerms) {
  const details = { method, is_new_user: isNewUser };
  const event = { action: 'sign_in.succeeded', actor: { type: 'user', id: userId }, source, details } as const;
  return { projectId, userId, place: placeOf({ level: 'client', request, source }), terms, event };
}
