import { type AccessLevel, fail } from '@tessera/protocol';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Project } from '../../projects/index.ts';

/** The caller of a sensitive change. */
export interface Changing {
  readonly level: AccessLevel;
  readonly project: Project;
  readonly sessionId: string | undefined;
}

interface LiveSession {
  readonly createdAtMillis: number;
  readonly isImpersonation: boolean;
  readonly isAnonymous: boolean;
}

interface FreshnessDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Checks the session of a change to sign-in methods: a factor, an address, a password, a provider link, an API key.
 * Does the checks of `assertFreshSession`. While sign-up is off, it also refuses anonymous users: with a sign-in method
 * an anonymous account would be a full account.
 *
 * @throws ACCESS_TOKEN_EXPIRED, SIGN_UP_NOT_ENABLED, or a text 403
 */
export async function assertRecentSignIn(changing: Changing, deps: FreshnessDeps): Promise<void> {
  const session = await requireFreshSession(changing, deps);
  if (session?.isAnonymous === true && !changing.project.config.signUpEnabled) fail('SIGN_UP_NOT_ENABLED');
}

/**
 * Checks the session of a sensitive change. It must not have ended or expired, must not be an impersonation (control
 * 34), and must not be older than the project allows (control 68); the default is no limit. Servers and admins are not
 * checked.
 *
 * @throws ACCESS_TOKEN_EXPIRED, or a text 403
 */
export async function assertFreshSession(changing: Changing, deps: FreshnessDeps): Promise<void> {
  await requireFreshSession(changing, deps);
}

/**
 * Checks the session of a sign-up that upgrades an anonymous user. An impersonation session cannot give the account its
 * first sign-in method (control 34). The age of the session does not matter. Servers and admins are not checked.
 *
 * @throws a text 403
 */
export async function assertNotImpersonated({ level, project, sessionId }: Changing, db: Queryable): Promise<void> {
  if (level !== 'client' || sessionId === undefined) return;
  const impersonations = await db.query(sql`
    select id from sessions where project_id = ${project.id} and id = ${sessionId} and is_impersonation
  `);
  if (impersonations.length > 0) refuseImpersonation();
}

/**
 * Checks inside the transaction of a change that the session of the caller still exists, and keeps it until the
 * transaction ends. The checks before the transaction hold for an earlier time: a password reset may have ended the
 * session since. The user row is locked before: whatever ends the sessions of a user takes the locks in the same order.
 * Servers and admins are not checked.
 *
 * @throws ACCESS_TOKEN_EXPIRED
 */
export async function holdCallerSession(
  tx: Transaction,
  { level, project, sessionId }: Changing,
  { clock }: Pick<FreshnessDeps, 'clock'>,
): Promise<void> {
  if (level !== 'client' || sessionId === undefined) return;
  const nowMillis = clock.now();
  const held = await tx.query(sql`
    select id from sessions
    where project_id = ${project.id} and id = ${sessionId} and expires_at_millis > ${nowMillis} for key share
  `);
  if (held.length === 0) fail('ACCESS_TOKEN_EXPIRED', { expired_at_millis: nowMillis });
}

function refuseImpersonation(): never {
  refuse(403, 'An impersonation session cannot make this change.');
}

async function requireFreshSession(
  { level, project, sessionId }: Changing,
  { db, clock }: FreshnessDeps,
): Promise<LiveSession | undefined> {
  if (level !== 'client' || sessionId === undefined) return undefined;
  const { freshSignInWithinMs } = project.config;
  const nowMillis = clock.now();
  const session = await selectLiveSession(db, { projectId: project.id, sessionId, nowMillis });
  if (session === undefined) fail('ACCESS_TOKEN_EXPIRED', { expired_at_millis: nowMillis });
  if (session.isImpersonation) refuseImpersonation();
  const isFresh = freshSignInWithinMs === undefined || session.createdAtMillis > nowMillis - freshSignInWithinMs;
  if (!isFresh) refuse(403, 'Sign in again to make this change: it needs a sign-in that is more recent.');
  return session;
}

async function selectLiveSession(
  db: Queryable,
  { projectId, sessionId, nowMillis }: { projectId: string; sessionId: string; nowMillis: number },
): Promise<LiveSession | undefined> {
  const [session] = await db.query<LiveSession>(sql`
    select s.created_at_millis as "createdAtMillis", s.is_impersonation as "isImpersonation",
      u.is_anonymous as "isAnonymous"
    from sessions s join users u on u.project_id = s.project_id and u.id = s.user_id
    where s.project_id = ${projectId} and s.id = ${sessionId} and s.expires_at_millis > ${nowMillis}
  `);
  return session;
}
