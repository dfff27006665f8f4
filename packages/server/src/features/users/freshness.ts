import type { AccessLevel } from '@tessera/protocol';
import { refuse } from '../../http/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db.ts';
import { sql } from '../../platform/sql.ts';
import type { Project } from '../projects/index.ts';

/** Whoever wants to change how somebody signs in. */
interface Changing {
  readonly level: AccessLevel;
  readonly project: Project;
  readonly sessionId: string | undefined;
}

/**
 * Factors, addresses and passwords are changed by a person in a session that is no older than the project says (control
 * 68); by default any will do. A session that has ended is none, even if its access token goes on working for a while.
 * Servers and admins answer for themselves.
 *
 * @throws a text 403
 */
export async function assertFreshSignIn(
  { level, project, sessionId }: Changing,
  { db, clock }: { db: Database; clock: Clock },
): Promise<void> {
  const { freshSignInWithinMs } = project.config;
  if (level !== 'client' || freshSignInWithinMs === undefined) return;
  const rows = await db.query(sql`
    select id from sessions
    where project_id = ${project.id} and id = ${sessionId ?? null}
      and created_at_millis > ${clock.now() - freshSignInWithinMs} and expires_at_millis > ${clock.now()}
  `);
  if (rows.length === 0) refuse(403, 'Sign in again to make this change: it needs a sign-in that is more recent.');
}
