import { type AccessLevel, fail } from '@tessera/protocol';
import type { AuditEvent, AuditedCall } from '../../core/audit-event.ts';
import type { Project } from '../../core/project.ts';
import type { CallUser } from '../../core/user.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../platform/database/database.ts';
import {
  holdCallerSession,
  lockUser,
  type NoticeCause,
  removeUser,
  selectSuspension,
  selectUser,
  sendAccountNotice,
  type UserId,
} from '../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../audit/index.ts';
import type { Mail } from '../email/queue/index.ts';
import { timeInWords } from '../email/templates/index.ts';
import { deleteOtherSessions } from '../sessions/index.ts';
import type { OnAddressProved } from '../sign-in/index.ts';
import { deletionTimeOf } from './rules.ts';
import { deleteScheduledDeletion, insertScheduledDeletion, selectScheduledDeletion } from './store.ts';

export interface AccountDeletionDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly mail: Mail;
}

/** The request of a user or an owner about a deletion. */
interface DeletionCall extends AuditedCall {
  readonly level: AccessLevel;
  readonly project: Project;
  readonly sessionId: string | undefined;
}

/** The request of a user about the own account. */
export interface OwnDeletionCall extends DeletionCall {
  readonly user: CallUser;
}

/**
 * Deletes the account of the caller: at once, or after the cooling-off period of the project. A scheduled deletion ends
 * all other sessions, and the API keys of the user do not work. A repeated request changes nothing.
 *
 * @returns when the account is gone; null when it is
 */
export async function requestDeletion(call: OwnDeletionCall, deps: AccountDeletionDeps): Promise<number | null> {
  const { project, user } = call;
  const id = { projectId: project.id, userId: user.id };
  return transaction(deps.db, async tx => {
    const locked = await lockUser(tx, id, 'exclude');
    await holdCallerSession(tx, call, deps);
    // A server has no session that ends with the user.
    if (locked === undefined) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
    const requestedAtMillis = deps.clock.now();
    const deletesAtMillis = deletionTimeOf(user, project.config, requestedAtMillis);
    if (deletesAtMillis === undefined) {
      await removeAfterNotice(tx, id, { by: auditedBy(call), cause: call }, deps);
      return null;
    }
    const known = await selectScheduledDeletion(tx, id);
    if (known !== undefined) return known.deletesAtMillis;
    await insertScheduledDeletion(tx, id, { requestedAtMillis, deletesAtMillis });
    await deleteOtherSessions(tx, project.id, user.id, call.sessionId);
    const details = { deletes_at_millis: deletesAtMillis };
    const event = { action: 'user.deletion_scheduled', userId: user.id, details, atMillis: requestedAtMillis } as const;
    await recordAudit(tx, { ...auditedBy(call), ...event });
    const about = { deletesAt: timeInWords(deletesAtMillis) };
    const notice = { notice: 'account_deletion_scheduled', to: [verifiedAddress(user)], about } as const;
    await sendAccountNotice(tx, { ...id, ...notice, by: call }, deps);
    return deletesAtMillis;
  });
}

/**
 * Cancels the scheduled deletion of an account, if there is one.
 *
 * @returns false when the user does not exist: the deletion was faster
 * @throws ACCESS_TOKEN_EXPIRED when the deletion that is being scheduled has ended the session of the caller
 */
export async function cancelDeletion(id: UserId, call: DeletionCall, deps: AccountDeletionDeps): Promise<boolean> {
  return transaction(deps.db, async tx => {
    await lockUser(tx, id, 'change');
    const user = await selectUser(tx, id.projectId, id.userId);
    if (user === null) return false;
    await holdCallerSession(tx, call, deps);
    await keepAccount(tx, { id, user, call }, deps);
    return true;
  });
}

/**
 * Control 56: a deletion that was scheduled before a user proved the only address of an account ends. The person who
 * scheduled it may not be the owner of the address.
 */
export function cancelDeletionOnProof(deps: AccountDeletionDeps): OnAddressProved {
  return async (tx, id, call) => {
    const user = await selectUser(tx, id.projectId, id.userId);
    if (user !== null) await keepAccount(tx, { id, user, call }, deps);
  };
}

/** The caller has locked the user. */
async function keepAccount(
  tx: Transaction,
  { id, user, call }: { id: UserId; user: CallUser; call: AuditedCall },
  deps: AccountDeletionDeps,
): Promise<void> {
  if (!(await deleteScheduledDeletion(tx, id))) return;
  const atMillis = deps.clock.now();
  await recordAudit(tx, { ...auditedBy(call), action: 'user.deletion_canceled', userId: id.userId, atMillis });
  const notice = { notice: 'account_deletion_canceled', to: [verifiedAddress(user)], about: {} } as const;
  await sendAccountNotice(tx, { ...id, ...notice, by: call }, deps);
}

/** Deletes an account whose time has come. Does nothing when the deletion was cancelled or is done, or the user is suspended. */
export async function deleteIfDue(id: UserId, deps: AccountDeletionDeps): Promise<void> {
  await transaction(deps.db, async tx => {
    // A cancellation takes the same lock: one of both finds the row.
    await lockUser(tx, id, 'exclude');
    const scheduled = await selectScheduledDeletion(tx, id);
    if (scheduled === undefined || scheduled.deletesAtMillis > deps.clock.now()) return;
    // The user could sign up again with the same address, and cannot sign in to keep the account.
    if (await selectSuspension(tx, id)) return;
    const by = { projectId: id.projectId, actor: { type: 'system', id: null } } as const;
    await removeAfterNotice(tx, id, { by }, deps);
  });
}

async function removeAfterNotice(
  tx: Transaction,
  id: UserId,
  { by, cause }: { by: Pick<AuditEvent, 'projectId' | 'actor' | 'source'>; cause?: NoticeCause },
  deps: AccountDeletionDeps,
): Promise<void> {
  const user = (await selectUser(tx, id.projectId, id.userId)) ?? fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  const notice = { notice: 'account_deleted', to: [verifiedAddress(user)], about: {} } as const;
  await sendAccountNotice(tx, { ...id, ...notice, ...(cause && { by: cause }) }, deps);
  await removeUser(tx, by, id.userId, deps);
}

/** An unverified address may belong to another person. */
function verifiedAddress({ primaryEmail, primaryEmailVerified }: CallUser): string | null {
  return primaryEmailVerified ? primaryEmail : null;
}
