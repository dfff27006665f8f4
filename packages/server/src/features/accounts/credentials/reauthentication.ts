import { type AccessLevel, fail, ownerRecentSignInMs, userAccessRecentSignInMs } from '@tessera/protocol';
import type { Project } from '../../../core/project.ts';
import type { CallUser } from '../../../core/user.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { assertRoleHeld } from '../../projects/index.ts';
import { lockUser } from '../users/row/index.ts';
import { acceptsAccessTokens } from './valid-session-store.ts';

/** The caller of a sensitive change. */
export interface SensitiveCaller {
  readonly level: AccessLevel;
  readonly project: Project;
  readonly sessionId: string | undefined;
  /** The person who manages the project, and that person's session; undefined for users and keys. */
  readonly ownerId?: string | undefined;
  readonly ownerSessionId?: string | undefined;
}

interface ValidSession {
  /** The time of the sign-in, or of the latest reauthentication. */
  readonly authenticatedAtMillis: number;
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
 * A person who manages the project can open the account of a user by such a change, so it needs the same recent sign-in as
 * a sign-in link.
 *
 * @throws ACCESS_TOKEN_EXPIRED, REAUTHENTICATION_REQUIRED, SIGN_UP_NOT_ENABLED, ADMIN_ACCESS_TOKEN_EXPIRED, or a text 403
 */
export async function assertRecentSignIn(caller: SensitiveCaller, deps: FreshnessDeps): Promise<void> {
  if (caller.level !== 'client' && caller.ownerId !== undefined) {
    await assertRecentOwner(caller.ownerSessionId, userAccessRecentSignInMs, deps);
  }
  const session = await requireFreshSession(caller, deps);
  if (session?.isAnonymous === true && !caller.project.config.signUpEnabled) fail('SIGN_UP_NOT_ENABLED');
}

/**
 * Checks the session of a sensitive change. It must not have ended, must not be an impersonation (control 34), and the
 * sign-in or the latest reauthentication must not be older than the project allows (control 68); the default is no limit,
 * and an hour for accounts that manage projects. Servers and admins are not checked.
 *
 * @throws ACCESS_TOKEN_EXPIRED, REAUTHENTICATION_REQUIRED, or a text 403
 */
export async function assertFreshSession(caller: SensitiveCaller, deps: FreshnessDeps): Promise<void> {
  await requireFreshSession(caller, deps);
}

/**
 * Checks the session of a sign-up that upgrades an anonymous user. An impersonation session cannot give the account its
 * first sign-in method (control 34). The age of the session does not matter. Servers and admins are not checked.
 *
 * @throws a text 403
 */
export async function assertNotImpersonated(
  { level, project, sessionId }: SensitiveCaller,
  db: Queryable,
): Promise<void> {
  if (level !== 'client' || sessionId === undefined) return;
  const impersonations = await db.query(sql`
    select id from sessions where project_id = ${project.id} and id = ${sessionId} and is_impersonation
  `);
  if (impersonations.length > 0) refuseImpersonation();
}

/**
 * Checks inside the transaction of a change that the session of the caller has not ended, and keeps it until the
 * transaction ends. The checks before the transaction hold for an earlier time: a password reset may have ended the
 * session since. The user row is locked before: whatever ends the sessions of a user takes the locks in the same order.
 * Of servers and admins, the role and the session of a person who manages the project are checked in the same way.
 *
 * @throws ACCESS_TOKEN_EXPIRED, ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN, PROJECT_ROLE_INSUFFICIENT, ADMIN_ACCESS_TOKEN_EXPIRED
 */
export async function holdCallerSession(
  tx: Transaction,
  caller: SensitiveCaller,
  { clock }: Pick<FreshnessDeps, 'clock'>,
): Promise<void> {
  const { level, project, sessionId } = caller;
  const nowMillis = clock.now();
  if (level !== 'client') return holdOwner(tx, caller, nowMillis);
  if (sessionId === undefined) return;
  const held = await tx.query(sql`
    select s.id from sessions s
    where s.project_id = ${project.id} and s.id = ${sessionId} and ${acceptsAccessTokens(nowMillis)} for key share
  `);
  if (held.length === 0) fail('ACCESS_TOKEN_EXPIRED', { expired_at_millis: nowMillis });
}

/**
 * A request can wait for seconds between its checks and its change, for a hash among those of the project for example: a
 * former member could set the password of a user.
 */
async function holdOwner(
  tx: Transaction,
  { project, ownerId, ownerSessionId }: SensitiveCaller,
  nowMillis: number,
): Promise<void> {
  if (ownerId === undefined) return;
  await assertRoleHeld(tx, { projectId: project.id, ownerId }, 'admin');
  if (ownerSessionId === undefined) return;
  const held = await tx.query(sql`
    select s.id from sessions s
    where s.project_id = 'internal' and s.id = ${ownerSessionId} and s.user_id = ${ownerId}
      and ${acceptsAccessTokens(nowMillis)} for key share
  `);
  if (held.length === 0) fail('ADMIN_ACCESS_TOKEN_EXPIRED', { expired_at_millis: nowMillis });
}

/** Locks the user of a client, and then does the check of `holdCallerSession`, which has its errors. */
export async function holdCaller(
  tx: Transaction,
  { user, ...caller }: SensitiveCaller & { readonly user: Pick<CallUser, 'id'> | null },
  deps: Pick<FreshnessDeps, 'clock'>,
): Promise<void> {
  if (caller.level === 'client') {
    if (user === null) return;
    await lockUser(tx, { projectId: caller.project.id, userId: user.id }, 'hold');
  }
  await holdCallerSession(tx, caller, deps);
}

/**
 * Checks the session of a reauthentication: it must not have ended, and must not be an impersonation, which would become
 * able to make sensitive changes (control 34).
 *
 * @throws ACCESS_TOKEN_EXPIRED, or a text 403
 */
export async function assertSessionMayReauthenticate(caller: SensitiveCaller, deps: FreshnessDeps): Promise<void> {
  await requireOwnSession(caller, deps);
}

/** Whether `assertFreshSession` refuses the session with REAUTHENTICATION_REQUIRED. */
export async function needsReauthentication(caller: SensitiveCaller, { db, clock }: FreshnessDeps): Promise<boolean> {
  const { level, project, sessionId } = caller;
  if (level !== 'client' || sessionId === undefined) return false;
  const session = await selectValidSession(db, { projectId: project.id, sessionId, nowMillis: clock.now() });
  return session !== undefined && !isFresh(session, caller, { clock });
}

/**
 * Checks the session of a person who manages a project, before what cannot be undone or gives access: deletion,
 * transfer, members, keys, the account of a user. Unlike the policy of a project, which is for its users, this always holds (control 68).
 *
 * @throws ADMIN_ACCESS_TOKEN_EXPIRED, REAUTHENTICATION_REQUIRED, or a text 403
 */
export async function assertRecentOwner(
  sessionId: string | undefined,
  withinMs: number,
  { db, clock }: FreshnessDeps,
): Promise<void> {
  const nowMillis = clock.now();
  // A token without a session was issued by an older version, so its sign-in is not known.
  if (sessionId === undefined) fail('REAUTHENTICATION_REQUIRED');
  const session = await selectValidSession(db, { projectId: 'internal', sessionId, nowMillis });
  if (session === undefined) fail('ADMIN_ACCESS_TOKEN_EXPIRED', { expired_at_millis: nowMillis });
  if (session.isImpersonation) refuseImpersonation();
  if (session.authenticatedAtMillis <= nowMillis - withinMs) fail('REAUTHENTICATION_REQUIRED');
}

/** Whether `assertRecentOwner` accepts the session. */
export async function isRecentOwner(
  sessionId: string | undefined,
  withinMs: number,
  { db, clock }: FreshnessDeps,
): Promise<boolean> {
  if (sessionId === undefined) return false;
  const nowMillis = clock.now();
  const session = await selectValidSession(db, { projectId: 'internal', sessionId, nowMillis });
  return session?.isImpersonation === false && session.authenticatedAtMillis > nowMillis - withinMs;
}

function refuseImpersonation(): never {
  refuse(403, 'An impersonation session cannot make this change.');
}

async function requireFreshSession(caller: SensitiveCaller, deps: FreshnessDeps): Promise<ValidSession | undefined> {
  const session = await requireOwnSession(caller, deps);
  if (session !== undefined && !isFresh(session, caller, deps)) fail('REAUTHENTICATION_REQUIRED');
  return session;
}

function isFresh(
  { authenticatedAtMillis }: ValidSession,
  { project }: SensitiveCaller,
  { clock }: Pick<FreshnessDeps, 'clock'>,
): boolean {
  const withinMs = project.config.freshSignInWithinMs ?? (project.id === 'internal' ? ownerRecentSignInMs : undefined);
  return withinMs === undefined || authenticatedAtMillis > clock.now() - withinMs;
}

async function requireOwnSession(
  { level, project, sessionId }: SensitiveCaller,
  { db, clock }: FreshnessDeps,
): Promise<ValidSession | undefined> {
  if (level !== 'client' || sessionId === undefined) return undefined;
  const nowMillis = clock.now();
  const session = await selectValidSession(db, { projectId: project.id, sessionId, nowMillis });
  if (session === undefined) fail('ACCESS_TOKEN_EXPIRED', { expired_at_millis: nowMillis });
  if (session.isImpersonation) refuseImpersonation();
  return session;
}

async function selectValidSession(
  db: Queryable,
  { projectId, sessionId, nowMillis }: { projectId: string; sessionId: string; nowMillis: number },
): Promise<ValidSession | undefined> {
  const [session] = await db.query<ValidSession>(sql`
    select coalesce(s.authenticated_at_millis, s.created_at_millis) as "authenticatedAtMillis", s.is_impersonation as "isImpersonation",
      u.is_anonymous as "isAnonymous"
    from sessions s join users u on u.project_id = s.project_id and u.id = s.user_id
    where s.project_id = ${projectId} and s.id = ${sessionId} and ${acceptsAccessTokens(nowMillis)}
  `);
  return session;
}
