import { randomUUID } from 'node:crypto';
import { fail, sessionLifetimeMs } from '@tessera/protocol';
import type { AccessTokens } from '../../platform/access-tokens.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/db.ts';
import { type EndUserPlace, endUserPlace } from '../../platform/geo.ts';
import { randomSecret } from '../../platform/random.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { SigningKeys } from '../../platform/signing-keys.ts';
import type { Projects } from '../projects/index.ts';
import { insertSession } from './store.ts';

export { type ActivityWriter, createActivityWriter } from './activity.ts';
export { wholeLifetime } from './rules.ts';
export { deleteSessions, selectSessionOf } from './store.ts';

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface SessionRequest {
  readonly projectId: string;
  readonly userId: string;
  /** Of the person who signs in; undefined when a server opens the session. */
  readonly place: EndUserPlace | undefined;
  /** Default 365 days. */
  readonly lifetimeMs?: number;
  readonly isImpersonation?: boolean;
  /** Of the project; taken before the transaction begins, which must not wait for a second connection. */
  readonly signingKeys: SigningKeys;
}

/** @throws PROJECT_NOT_FOUND when the project is deleted meanwhile */
export async function signingKeysFor(projectId: string, deps: { projects: Projects }): Promise<SigningKeys> {
  return (await deps.projects.signingKeysOf(projectId)) ?? fail('PROJECT_NOT_FOUND', { project_id: projectId });
}

/**
 * Opens a session for a user: every sign-in ends here. The refresh token is new each time, so a session that
 * somebody else began is never taken over (control 36).
 */
export async function openSession(
  tx: Transaction,
  { projectId, userId, place, lifetimeMs = sessionLifetimeMs, isImpersonation = false, signingKeys }: SessionRequest,
  deps: { accessTokens: AccessTokens; clock: Clock },
): Promise<Tokens> {
  const sessionId = randomUUID();
  const refreshToken = randomSecret();
  const createdAtMillis = deps.clock.now();
  const expiresAtMillis = createdAtMillis + lifetimeMs;
  const refreshTokenHash = sha256(refreshToken);
  const session = { id: sessionId, userId, refreshTokenHash, isImpersonation, place, createdAtMillis, expiresAtMillis };
  await insertSession(tx, projectId, session);
  return { refreshToken, accessToken: deps.accessTokens.issue(signingKeys, { projectId, userId, sessionId }) };
}

/** Where the caller of a sign-in is, as far as its headers tell. */
export function placeOf(request: Request): EndUserPlace | undefined {
  return endUserPlace(request.headers);
}
