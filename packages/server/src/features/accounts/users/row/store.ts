import type { Transaction } from '../../../../platform/database/database.ts';
import { type Statement, sql } from '../../../../platform/database/sql.ts';

/** A user of a project. */
export interface UserId {
  readonly projectId: string;
  readonly userId: string;
}

/** The sign-in factors of a locked user. */
export interface LockedUser {
  readonly passwordHash: string | null;
  readonly requiresTotpMfa: boolean;
  readonly isAnonymous: boolean;
}

const factors = sql`
  password_hash as "passwordHash", totp_secret is not null as "requiresTotpMfa", is_anonymous as "isAnonymous"
`;

/**
 * A lock of a user row, until the transaction ends. `hold`: the user is not deleted. `change`: other changes of the user
 * wait, too; new sessions, codes and channels do not. `exclude`: all writers of rows that refer to the user wait, so that
 * no session, key, channel or code appears.
 */
type UserLock = 'hold' | 'change' | 'exclude';

const locks: Record<UserLock, (tx: Transaction, id: UserId) => Promise<LockedUser[]>> = {
  hold: (tx, { projectId, userId }) =>
    tx.query<LockedUser>(
      sql`select ${factors} from users where project_id = ${projectId} and id = ${userId} for key share`,
    ),
  change: (tx, { projectId, userId }) =>
    tx.query<LockedUser>(
      sql`select ${factors} from users where project_id = ${projectId} and id = ${userId} for no key update`,
    ),
  exclude: (tx, { projectId, userId }) =>
    tx.query<LockedUser>(
      sql`select ${factors} from users where project_id = ${projectId} and id = ${userId} for update`,
    ),
};

/** Locks a user. @returns undefined when there is no such user */
export async function lockUser(tx: Transaction, id: UserId, mode: UserLock): Promise<LockedUser | undefined> {
  const [user] = await locks[mode](tx, id);
  return user;
}

/** The conditions on a user at the time of a new session, beside that it is not suspended: this password hash and no second factor. */
export interface Unchanged {
  readonly passwordHash: string;
}

const unconditional = sql``;

interface SessionConditions {
  readonly unchanged: Unchanged | undefined;
}

/**
 * The part of a statement that records the activity of a new session. It returns the id of the user.
 *
 * @param unchanged default: no conditions. Without a row the user is deleted or suspended, or a condition does not hold
 */
export function recordSessionActivity(
  user: UserId,
  { atMillis, unchanged }: SessionConditions & { readonly atMillis: number },
): Statement {
  return sql`
    update users set last_active_at_millis = greatest(last_active_at_millis, ${atMillis})
    where ${isUnchanged(user, unchanged)} returning id
  `;
}

/** As `recordSessionActivity`, for a session that does not count as activity of its user: nothing is recorded. */
export function findSessionUser(user: UserId, { unchanged }: SessionConditions): Statement {
  return sql`select id from users where ${isUnchanged(user, unchanged)} for key share`;
}

/** On the row itself, so that a statement that waits for a concurrent suspension sees it. */
function isUnchanged({ projectId, userId }: UserId, unchanged: Unchanged | undefined): Statement {
  return sql`project_id = ${projectId} and id = ${userId} and suspended_at_millis is null
    ${unchanged === undefined ? unconditional : sql`and password_hash = ${unchanged.passwordHash} and totp_secret is null`}`;
}

/**
 * The part of a statement that raises the last activity of many users.
 *
 * @param latest a relation with `project_id`, `id` and `at_millis`, whose users the statement has locked
 */
export function raiseLastActivity(latest: Statement): Statement {
  return sql`
    update users u set last_active_at_millis = greatest(u.last_active_at_millis, l.at_millis)
    from ${latest} l where u.project_id = l.project_id and u.id = l.id
  `;
}

/** The part of a statement that marks a user as one who may have accounts at providers. */
export function markOAuthAccounts({ projectId, userId }: UserId): Statement {
  return sql`
    update users set may_have_oauth_accounts = true
    where project_id = ${projectId} and id = ${userId} and not may_have_oauth_accounts
  `;
}

/** Records in the user row whether the user has passkeys. */
export async function updateHasPasskey(
  tx: Transaction,
  { projectId, userId }: UserId,
  hasPasskey: boolean,
): Promise<void> {
  await tx.query(sql`update users set has_passkey = ${hasPasskey} where project_id = ${projectId} and id = ${userId}`);
}

/** Replaces the server metadata of a user. @param metadata JSON */
export async function updateServerMetadata(
  tx: Transaction,
  { projectId, userId }: UserId,
  metadata: string,
): Promise<void> {
  await tx.query(
    sql`update users set server_metadata = ${metadata} where project_id = ${projectId} and id = ${userId}`,
  );
}
