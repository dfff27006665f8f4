import { fail, userSuspensionEndpoints } from '@tessera/protocol';
import type { AuditedCall } from '../../core/audit-event.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../platform/database/database.ts';
import {
  holdCallerSession,
  lockUser,
  type SensitiveCaller,
  type Suspension,
  selectSuspension,
  type UserId,
  updateSuspension,
} from '../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../audit/index.ts';
import { deleteOpenedSessions, deleteSessions } from '../sessions/index.ts';
import { deleteSentInvitations } from '../verification-codes/index.ts';
import { suspensionView } from './wire.ts';

export interface SuspensionDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** docs/contract/user-administration.md#suspended-users */
export function suspensionRoutes(deps: SuspensionDeps): BoundRoute[] {
  return [
    bind(userSuspensionEndpoints.read, async ({ project, params }) => {
      const suspension = await selectSuspension(deps.db, { projectId: project.id, userId: params.user_id });
      if (suspension === undefined) fail('USER_NOT_FOUND');
      return { suspension: suspension && suspensionView(suspension) };
    }),

    bind(userSuspensionEndpoints.suspend, async call => {
      const id = { projectId: call.project.id, userId: call.params.user_id };
      return { suspension: suspensionView(await suspend(id, { call, reason: call.body.reason || null }, deps)) };
    }),

    bind(userSuspensionEndpoints.end, async call => {
      await endSuspension({ projectId: call.project.id, userId: call.params.user_id }, call, deps);
      return { success: true } as const;
    }),
  ];
}

/** Repeated for a suspended user, it changes the reason only. */
async function suspend(
  id: UserId,
  { call, reason }: { call: AuditedCall & SensitiveCaller; reason: string | null },
  deps: SuspensionDeps,
): Promise<Suspension> {
  return transaction(deps.db, async tx => {
    // New sessions wait for the lock, and find the suspension then.
    if (!(await lockUser(tx, id, 'exclude'))) fail('USER_NOT_FOUND');
    await holdCallerSession(tx, call, deps);
    assertNotOneself(id, call);
    const known = await selectSuspension(tx, id);
    if (known?.reason === reason) return known;
    const suspension = { suspendedAtMillis: known?.suspendedAtMillis ?? deps.clock.now(), reason };
    await updateSuspension(tx, id, suspension);
    await deleteSessions(tx, id.projectId, id.userId, null);
    await endAccessThroughOthers(tx, id);
    const event = {
      action: 'user.suspended',
      userId: id.userId,
      details: { reason },
      atMillis: deps.clock.now(),
    } as const;
    await recordAudit(tx, { ...auditedBy(call), ...event });
    return suspension;
  });
}

/**
 * Ends the sessions of other users that this user opened, and the invitations that another account of the person could
 * use.
 */
async function endAccessThroughOthers(tx: Transaction, id: UserId): Promise<void> {
  if (id.projectId === 'internal') await deleteOpenedSessions(tx, id.userId);
  await deleteSentInvitations(tx, id);
}

async function endSuspension(id: UserId, call: AuditedCall & SensitiveCaller, deps: SuspensionDeps): Promise<void> {
  await transaction(deps.db, async tx => {
    if (!(await lockUser(tx, id, 'change'))) fail('USER_NOT_FOUND');
    await holdCallerSession(tx, call, deps);
    if (!(await selectSuspension(tx, id))) return;
    await updateSuspension(tx, id, null);
    const event = { action: 'user.suspension_ended', userId: id.userId, atMillis: deps.clock.now() } as const;
    await recordAudit(tx, { ...auditedBy(call), ...event });
  });
}

/** The owner of an installation would have no way back. */
function assertNotOneself({ projectId, userId }: UserId, call: AuditedCall): void {
  const { actor } = auditedBy(call);
  if (projectId === 'internal' && actor.id === userId) refuse(400, 'You cannot suspend your own account.');
}
