import { randomUUID } from 'node:crypto';
import { sessionLifetimeMs as defaultLifetimeMs, fail, type Json } from '@tessera/protocol';
import type { AccessTokens } from '../../platform/access-tokens.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/db.ts';
import { type EndUserPlace, endUserPlace } from '../../platform/geo.ts';
import { randomSecret } from '../../platform/random.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { SigningKeys } from '../../platform/signing-keys.ts';
import type { AuditEvent } from '../audit/index.ts';
import type { Projects } from '../projects/index.ts';
import { shortest } from './rules.ts';
import { insertSession } from './store.ts';

export { type ActivityWriter, createActivityWriter } from './activity.ts';
export { type Refreshed, refreshSession } from './refresh.ts';
export { assertScope, isPrintable, projectOfClient, wholeLifetime } from './rules.ts';
export { deleteSessions, selectSessionOf } from './store.ts';

export interface Tokens {
  readonly sessionId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface SessionRequest {
  readonly projectId: string;
  readonly userId: string;
  /** Of the person who signs in; undefined when a server opens the session. */
  readonly place: EndUserPlace | undefined;
  /** Default 365 days; what the project says is the most. */
  readonly lifetimeMs?: number;
  readonly isImpersonation?: boolean;
  readonly terms: SessionTerms;
  /** How the audit log tells of it. */
  readonly event: Pick<AuditEvent, 'action' | 'actor' | 'source'> & { readonly details: Record<string, Json> };
}

/** What sessions need of their project. */
export interface SessionTerms {
  readonly signingKeys: SigningKeys;
  /** Undefined where the project leaves it to the installation. */
  readonly maxLifetimeMs: number | undefined;
}

/**
 * Taken before the transaction begins, which must not wait for a second connection.
 *
 * @throws PROJECT_NOT_FOUND when the project is deleted meanwhile
 */
export async function sessionTermsOf(projectId: string, deps: { projects: Projects }): Promise<SessionTerms> {
  const loaded = (await deps.projects.find(projectId)) ?? fail('PROJECT_NOT_FOUND', { project_id: projectId });
  return { signingKeys: loaded.signingKeys, maxLifetimeMs: loaded.project.config.sessionLifetimeMs };
}

/**
 * Opens a session for a user: every sign-in ends here. The refresh token is new each time, so a session that
 * somebody else began is never taken over (control 36).
 */
export async function openSession(
  tx: Transaction,
  request: SessionRequest,
  deps: { accessTokens: AccessTokens; clock: Clock },
): Promise<Tokens> {
  const { projectId, userId, place, lifetimeMs = defaultLifetimeMs, isImpersonation = false, terms } = request;
  const sessionId = randomUUID();
  const refreshToken = randomSecret();
  const atMillis = deps.clock.now();
  const details = { ...request.event.details, session_id: sessionId };
  const event = { ...request.event, id: randomUUID(), projectId, userId, details, atMillis };
  await insertSession(tx, projectId, {
    id: sessionId,
    userId,
    refreshTokenHash: sha256(refreshToken),
    isImpersonation,
    place,
    createdAtMillis: atMillis,
    expiresAtMillis: atMillis + shortest(lifetimeMs, terms.maxLifetimeMs),
    event,
  });
  const accessToken = deps.accessTokens.issue(terms.signingKeys, { projectId, userId, sessionId });
  return { sessionId, refreshToken, accessToken };
}

/** Where the caller of a sign-in is, as far as its headers tell. */
export function placeOf(request: Request): EndUserPlace | undefined {
  return endUserPlace(request.headers);
}
