import { type AccessLevel, fail } from '@tessera/protocol';
import { refuse } from '../../http/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queryable } from '../../platform/db.ts';
import { sql } from '../../platform/sql.ts';
import type { Project } from '../projects/index.ts';

/** The caller of a sensitive change. */
interface Changing {
  readonly level: AccessLevel;
  readonly project: Project;
  readonly sessionId: string | undefined;
}

/**
 * Checks the session of a sensitive change: of a factor, an address, a password, a provider link, an API key, or the
 * deletion of the account. The session must not have ended or expired, must not be an impersonation (control 34), and
 * must be no older than the project says (control 68); by default any age will do. Servers and admins are not checked.
 *
 * @throws ACCESS_TOKEN_EXPIRED, or a text 403
 */
export async function assertFreshSignIn(
  { level, project, sessionId }: Changing,
  { db, clock }: { db: Database; clock: Clock },
): Promise<void> {
  const { freshSignInWithinMs } = project.config;
  if (level !== 'client' || sessionId === undefined) return;
  const nowMillis = clock.now();
  const session = await selectLiveSession(db, { projectId: project.id, sessionId, nowMillis });
  if (session === undefined) fail('ACCESS_TOKEN_EXPIRED', { expired_at_millis: nowMillis });
  if (session.isImpersonation) refuse(403, 'An impersonation session cannot make this change.');
  const isFresh = freshSignInWithinMs === undefined || session.createdAtMillis > nowMillis - freshSignInWithinMs;
  if (!isFresh) refuse(403, 'Sign in again to make this change: it needs a sign-in that is more recent.');
}

async function selectLiveSession(
  db: Queryable,
  { projectId, sessionId, nowMillis }: { projectId: string; sessionId: string; nowMillis: number },
): Promise<{ createdAtMillis: number; isImpersonation: boolean } | undefined> {
  const [session] = await db.query<{ createdAtMillis: number; isImpersonation: boolean }>(sql`
    select created_at_millis as "createdAtMillis", is_impersonation as "isImpersonation" from sessions
    where project_id = ${projectId} and id = ${sessionId} and expires_at_millis > ${nowMillis}
  `);
  return session;
}
