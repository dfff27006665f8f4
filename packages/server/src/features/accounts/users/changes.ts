import { fail } from '@tessera/protocol';
import type { AuditEvent, AuditedCall } from '../../../core/audit-event.ts';
import type { HttpRequest } from '../../../core/http-request.ts';
import type { Project } from '../../../core/project.ts';
import type { CallUser, User } from '../../../core/user.ts';
import type { Settings } from '../../../env.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Passwords } from '../../../platform/crypto/passwords.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, type Queryable, type Transaction, transaction } from '../../../platform/database/database.ts';
import type { ConvertImage } from '../../../platform/images.ts';
import type { RateLimits } from '../../../platform/rate-limits/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import { imagesUrl, storeImage } from '../../images/index.ts';
import { assertKeyUsable, type Projects } from '../../projects/index.ts';
import { deleteInvitations, deleteSentInvitations } from '../../verification-codes/index.ts';
import { publishEvent } from '../../webhooks/events/index.ts';
import { AddressTaken } from '../contact-channels/claims-store.ts';
import { countChannels, hasChannel } from '../contact-channels/store.ts';
import { factorActions } from '../credentials/factor-events.ts';
import { assertStrongPassword } from '../credentials/password-policy.ts';
import { holdCallerSession } from '../credentials/reauthentication.ts';
import { applyUserChanges, holdMembership } from './changes-store.ts';
import { accountNoticesOf, keepNotices, sendAccountNotice } from './notices.ts';
import { lockUser, type UserId } from './row/index.ts';
import { planUserUpdate } from './rules.ts';
import { deleteUser, isMember, selectTeamIds, selectUser } from './store.ts';
import type { PlannedChange, UserChange, UserPatch } from './user-update.ts';
import { serverUser } from './wire.ts';

export interface UserChangeDeps {
  readonly settings: Pick<Settings, 'mode' | 'publicUrl'>;
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  readonly mail: Mail;
  readonly rateLimits: RateLimits;
  readonly convertImage: ConvertImage;
  readonly projects: Projects;
}

export const totpSecretPurpose = 'totp secret';

/** The caller of an update. */
export interface UpdateCall extends AuditedCall {
  readonly project: Project;
  readonly sessionId: string | undefined;
  readonly ownerSessionId: string | undefined;
  readonly request: HttpRequest;
}

/**
 * Plans an update, writes it and publishes the event. `PATCH` does this at every level.
 *
 * @throws the refusals of the rules, PASSWORD_REQUIREMENTS_NOT_MET, USER_EMAIL_ALREADY_EXISTS, USER_NOT_FOUND when the
 * user is deleted concurrently, the refusals of `holdCallerSession` and `assertKeyUsable` when the access of the caller
 * ends concurrently
 */
export async function updateUser(
  patch: UserPatch,
  { user, call }: { user: CallUser; call: UpdateCall },
  deps: UserChangeDeps,
): Promise<User> {
  const { level, project } = call;
  const { id: projectId, config } = project;
  const images = imagesUrl(deps.settings, projectId);
  const planFor = async (db: Queryable, found: CallUser, changed: UserPatch): Promise<PlannedChange[]> => {
    const { primaryEmail } = patch;
    const ownsNewAddress = primaryEmail != null && (await hasChannel(db, projectId, user.id, primaryEmail));
    const channelCount = primaryEmail == null ? 0 : await countChannels(db, projectId, user.id);
    const isInSelectedTeam =
      patch.selectedTeamId != null &&
      (await isMember(db, projectId, { teamId: patch.selectedTeamId, userId: user.id }));
    const facts = { ownsNewAddress, channelCount, isInSelectedTeam };
    return planUserUpdate(changed, { user: found, level, config, imagesUrl: images, ...facts });
  };
  // Before the transaction: a refused password is not hashed, and no row stays locked while a hash waits in the queue.
  const password = newPassword(await planFor(deps.db, user, patch));
  if (password !== null) {
    const addresses = [user.primaryEmail, patch.primaryEmail ?? null];
    await assertStrongPassword(password, { project, addresses }, deps);
  }
  const passwordHash = password === null ? null : await deps.passwords.hash(password, projectId);
  const stored = { ...patch, profileImageUrl: await storeImage(patch.profileImageUrl, call, deps) };
  await assertKeyUsable(call, deps.projects);
  const nowMillis = deps.clock.now();
  return transaction(deps.db, async tx => {
    // The same lock order as the end of a membership: first the membership, then the user who has selected the team.
    if (patch.selectedTeamId != null) await holdMembership(tx, projectId, user.id, patch.selectedTeamId);
    // The plan is made again on the locked row: another request may have changed or deleted the user.
    await lockUser(tx, { projectId, userId: user.id }, 'change');
    const current = (await selectUser(tx, projectId, user.id)) ?? fail('USER_NOT_FOUND');
    await holdCallerSession(tx, call, deps);
    const changes = (await planFor(tx, current, stored)).map(change => hashAndEncrypt(change, passwordHash, deps));
    await applyUserChanges(tx, { projectId, userId: user.id, nowMillis }, changes).catch((error: unknown) => {
      if (error instanceof AddressTaken)
        fail('USER_EMAIL_ALREADY_EXISTS', { email: patch.primaryEmail ?? user.primaryEmail ?? '' });
      throw error;
    });
    const updated = (await selectUser(tx, projectId, user.id)) ?? fail('USER_NOT_FOUND');
    await publishEvent(tx, { projectId, type: 'user.updated', data: serverUser(updated), nowMillis });
    const formerAddress = current.primaryEmailVerified ? current.primaryEmail : null;
    for (const notice of accountNoticesOf(changes, current, updated.primaryEmail)) {
      await sendAccountNotice(tx, { projectId, userId: user.id, ...notice, by: call, formerAddress }, deps);
    }
    for (const action of factorActions(changes, current)) {
      await recordAudit(tx, { ...auditedBy(call), action, userId: user.id, atMillis: nowMillis });
    }
    return updated;
  });
}

/**
 * Deletes a user with all rows that refer to it, and publishes the events.
 *
 * @param by the actor, for the audit log
 * @returns false when the user does not exist
 */
export async function removeUser(
  tx: Transaction,
  { projectId, ...by }: Pick<AuditEvent, 'projectId' | 'actor' | 'source'>,
  userId: string,
  { clock }: { readonly clock: Clock },
): Promise<boolean> {
  const nowMillis = clock.now();
  await lockUser(tx, { projectId, userId }, 'exclude');
  const teamIds = await selectTeamIds(tx, projectId, userId);
  await endInvitations(tx, { projectId, userId }, { teamIds, actor: by.actor });
  await keepNotices(tx, { projectId, userId });
  if (!(await deleteUser(tx, projectId, userId))) return false;
  for (const teamId of teamIds) {
    const data = { team_id: teamId, user_id: userId };
    await publishEvent(tx, { projectId, type: 'team_membership.deleted', data, nowMillis });
  }
  const data = { id: userId, teams: teamIds.map(id => ({ id })) };
  await publishEvent(tx, { projectId, type: 'user.deleted', data, nowMillis });
  await recordAudit(tx, { projectId, ...by, action: 'user.deleted', userId, atMillis: nowMillis });
  return true;
}

/** Ends invitations as when a member leaves or is removed: those to the person, and those of a user whom others delete. */
async function endInvitations(
  tx: Transaction,
  id: UserId,
  { teamIds, actor }: { teamIds: readonly string[]; actor: AuditEvent['actor'] },
): Promise<void> {
  for (const teamId of teamIds) {
    await deleteInvitations(tx, id.projectId, { to: { kind: 'team_invitation', id: teamId }, userId: id.userId });
  }
  // The system deletes an account whose user has scheduled that.
  const isOwnWish = actor.type === 'system' || actor.id === id.userId;
  if (!isOwnWish) await deleteSentInvitations(tx, id);
}

/** The new password of a plan, which is not hashed yet. */
function newPassword(planned: readonly PlannedChange[]): string | null {
  return planned.find(change => change.kind === 'password')?.value ?? null;
}

/** Hashes and encrypts, which the pure rules cannot do. */
function hashAndEncrypt(
  change: PlannedChange,
  passwordHash: string | null,
  { secrets }: { readonly secrets: Secrets },
): UserChange {
  if (change.kind === 'password') return { kind: 'passwordHash', value: passwordHash };
  if (change.kind !== 'totpSecret' || change.value === null) return change;
  return { kind: 'totpSecret', value: secrets.encrypt(totpSecretPurpose, change.value) };
}
