import { fail } from '@tessera/protocol';
import type { Caller } from '../../core/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { holdAccess, holdOwnerSession } from './opener-store.ts';

/** The person who opens a session for a user. The session ends when that person loses the access to the project. */
export interface Opener {
  /** The account in `internal`. */
  readonly id: string;
  /**
   * The session of the opener: an impersonation ends with it. Null for other sessions, and for a token without a
   * session.
   */
  readonly sessionId: string | null;
}

interface Opening extends Pick<Caller, 'ownerId' | 'ownerSessionId'> {
  readonly project: { readonly id: string };
}

/** The opener of a new session, and the lifetime that the session may have. */
interface Opened {
  /** Undefined for a caller with a key. */
  readonly opener: Opener | undefined;
  readonly lifetimeMs: number;
}

/**
 * Checks the access of the person who opens a session again, and keeps it until the transaction ends: the removal of a
 * member ends the sessions that it finds. An impersonation ends with the session of the person at the latest.
 *
 * @throws ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN, ADMIN_ACCESS_TOKEN_EXPIRED
 */
export async function holdOpener(
  tx: Transaction,
  { project, ownerId, ownerSessionId }: Opening,
  { isImpersonation, lifetimeMs, clock }: { isImpersonation: boolean; lifetimeMs: number; clock: Clock },
): Promise<Opened> {
  if (ownerId === undefined) return { opener: undefined, lifetimeMs };
  if (!(await holdAccess(tx, { projectId: project.id, ownerId }))) fail('ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN');
  if (!isImpersonation || ownerSessionId === undefined) return { opener: { id: ownerId, sessionId: null }, lifetimeMs };
  const nowMillis = clock.now();
  const endsAtMillis = await holdOwnerSession(tx, { ownerId, ownerSessionId, nowMillis });
  if (endsAtMillis === undefined) fail('ADMIN_ACCESS_TOKEN_EXPIRED', { expired_at_millis: nowMillis });
  const opener = { id: ownerId, sessionId: ownerSessionId };
  return { opener, lifetimeMs: Math.min(lifetimeMs, endsAtMillis - nowMillis) };
}
