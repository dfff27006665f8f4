import { randomUUID } from 'node:crypto';
import { sessionLifetimeMs as defaultLifetimeMs, fail, type Json } from '@tessera/protocol';
import { type AuditEvent, RefusedUser } from '../../core/audit-event.ts';
import type { SigningKeys } from '../../core/signing-keys.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccessTokens } from '../../platform/crypto/access-tokens.ts';
import { randomSecret } from '../../platform/crypto/random.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';
import { batchLoad } from '../../platform/database/batches/batch-load.ts';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import type { Unchanged } from '../accounts/users/row/index.ts';
import type { Projects } from '../projects/index.ts';
import type { CallerPlace } from './activity/caller-place.ts';
import type { Opener } from './opener.ts';
import { shortestLifetime } from './rules.ts';
import { type FoundSession, insertSession, type PresentedToken, selectSessionsOf } from './store.ts';

export interface Tokens {
  readonly sessionId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The end of the session. */
  readonly expiresAtMillis: number;
}

interface SessionRequest {
  readonly projectId: string;
  readonly userId: string;
  /** Undefined when it is not the place of the user. */
  readonly place: CallerPlace | undefined;
  /** Default: 365 days. The project can set a lower maximum. */
  readonly lifetimeMs?: number;
  readonly isImpersonation?: boolean;
  /** A server or an admin opens it, and not the user. Default: false. */
  readonly isOpenedForUser?: boolean;
  /** Undefined for a sign-in, and for a session that a key opens. */
  readonly opener?: Opener | undefined;
  readonly terms: SessionTerms;
  /** The audit event of the new session. */
  readonly event: Pick<AuditEvent, 'action' | 'actor' | 'source'> & { readonly details: Record<string, Json> };
}

/** The project data that a new session needs. */
export interface SessionTerms {
  readonly signingKeys: SigningKeys;
  /** Undefined when the project sets no maximum. */
  readonly maxLifetimeMs: number | undefined;
  /** Users get an email about a sign-in from a new device. */
  readonly sendsSignInNotices: boolean;
}

/**
 * Reads the terms. Call it before the transaction begins, so that the transaction needs no second connection.
 *
 * @throws PROJECT_NOT_FOUND when the project is deleted concurrently
 */
export async function sessionTermsOf(projectId: string, deps: { projects: Projects }): Promise<SessionTerms> {
  const loaded = (await deps.projects.find(projectId)) ?? fail('PROJECT_NOT_FOUND', { project_id: projectId });
  const { signingKeys, project } = loaded;
  const { sessionLifetimeMs: maxLifetimeMs, signInNoticesEnabled: sendsSignInNotices } = project.config;
  return { signingKeys, maxLifetimeMs, sendsSignInNotices };
}

/**
 * Opens a session for a user whose row the transaction has locked. The refresh token is always new, so an attacker
 * cannot prepare a session for another user (control 36).
 *
 * @throws USER_SUSPENDED
 */
export async function openSession(
  tx: Transaction,
  request: SessionRequest,
  deps: { accessTokens: AccessTokens; clock: Clock },
): Promise<Tokens> {
  // The user is there, because the row is locked, so only a suspension is left.
  const tokens = await tryOpenSession(tx, request, deps);
  return tokens ?? fail('USER_SUSPENDED', undefined, { cause: new RefusedUser(request.userId) });
}

/**
 * Opens a session with one statement, for a user whose row is not locked.
 *
 * @returns undefined when the user is deleted or suspended, or `unchanged` does not hold
 */
export async function tryOpenSession(
  db: Queryable,
  request: SessionRequest & { readonly unchanged?: Unchanged },
  deps: { accessTokens: AccessTokens; clock: Clock },
): Promise<Tokens | undefined> {
  const { projectId, userId, place, lifetimeMs = defaultLifetimeMs, opener, terms } = request;
  const { isImpersonation = false, isOpenedForUser = false } = request;
  const sessionId = randomUUID();
  const refreshToken = randomSecret();
  const atMillis = deps.clock.now();
  const expiresAtMillis = atMillis + shortestLifetime(lifetimeMs, terms.maxLifetimeMs);
  const details = { ...request.event.details, session_id: sessionId };
  const session = {
    id: sessionId,
    userId,
    refreshTokenHash: sha256(refreshToken),
    isImpersonation,
    isOpenedForUser,
    opener,
    place,
    createdAtMillis: atMillis,
    expiresAtMillis,
    event: { ...request.event, id: randomUUID(), projectId, userId, details, atMillis },
  };
  if (!(await insertSession(db, projectId, session, request.unchanged))) return undefined;
  const accessToken = deps.accessTokens.issue(terms.signingKeys, { projectId, userId, sessionId });
  return { sessionId, refreshToken, accessToken, expiresAtMillis };
}

/** Finds the open session of a refresh token; undefined for any other token. */
export type FindSession = (presented: PresentedToken) => Promise<FoundSession | undefined>;

/** Concurrent lookups share a query. */
export function createSessionFinder(db: Queryable): FindSession {
  return batchLoad(presented => selectSessionsOf(db, presented));
}
