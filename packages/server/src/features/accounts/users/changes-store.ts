import type { Transaction } from '../../../platform/database/database.ts';
import { jsonText, sql } from '../../../platform/database/sql.ts';
import { deleteSessions } from '../../sessions/index.ts';
import { deleteAttempts } from '../../verification-codes/index.ts';
import {
  deletePrimaryChannel,
  insertPrimaryChannel,
  switchPrimaryChannel,
  updatePrimaryChannel,
} from '../contact-channels/primary-store.ts';
import { deletePasskeys } from '../credentials/passkeys-store.ts';
import type { UserId } from './row/index.ts';
import { refreshSearch } from './store.ts';
import type { UserChange } from './user-update.ts';

/**
 * Keeps a membership and its permissions until the transaction ends: a removal and a revocation wait for the lock.
 *
 * @returns false when there is no membership
 */
export async function holdMembership(
  tx: Transaction,
  projectId: string,
  userId: string,
  teamId: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select team_id from team_memberships
    where project_id = ${projectId} and user_id = ${userId} and team_id = ${teamId} for share
  `);
  return rows.length > 0;
}

/** Writes the planned changes in their order. */
export async function applyUserChanges(
  tx: Transaction,
  { projectId, userId, nowMillis }: { projectId: string; userId: string; nowMillis: number },
  changes: readonly UserChange[],
): Promise<void> {
  for (const change of changes) await applyUserChange(tx, { projectId, userId, nowMillis }, change);
  if (changes.some(change => searchedKinds.has(change.kind))) await refreshSearch(tx, projectId, userId);
}

const searchedKinds = new Set<UserChange['kind']>([
  'displayName',
  'createPrimaryEmail',
  'updatePrimaryEmail',
  'deletePrimaryEmail',
]);

async function applyUserChange(
  tx: Transaction,
  { projectId, userId, nowMillis }: { projectId: string; userId: string; nowMillis: number },
  change: UserChange,
): Promise<unknown> {
  switch (change.kind) {
    case 'displayName':
      return tx.query(
        sql`update users set display_name = ${change.value} where project_id = ${projectId} and id = ${userId}`,
      );
    case 'profileImageUrl':
      return tx.query(
        sql`update users set profile_image_url = ${change.value} where project_id = ${projectId} and id = ${userId}`,
      );
    case 'clientMetadata':
      return tx.query(
        sql`update users set client_metadata = ${jsonText(change.value)} where project_id = ${projectId} and id = ${userId}`,
      );
    case 'clientReadOnlyMetadata':
      return tx.query(
        sql`update users set client_read_only_metadata = ${jsonText(change.value)} where project_id = ${projectId} and id = ${userId}`,
      );
    case 'serverMetadata':
      return tx.query(
        sql`update users set server_metadata = ${jsonText(change.value)} where project_id = ${projectId} and id = ${userId}`,
      );
    case 'otpAuthEnabled':
      return tx.query(
        sql`update users set otp_auth_enabled = ${change.value}, otp_auth_refused = ${!change.value} where project_id = ${projectId} and id = ${userId}`,
      );
    case 'isAnonymous':
      return tx.query(
        sql`update users set is_anonymous = ${change.value} where project_id = ${projectId} and id = ${userId}`,
      );
    case 'totpSecret':
      return tx.query(
        sql`update users set totp_secret = ${change.value}, totp_last_step = null, recovery_code_hashes = null, recovery_codes_created_at_millis = null where project_id = ${projectId} and id = ${userId}`,
      );
    case 'selectedTeam':
      return tx.query(
        sql`update users set selected_team_id = ${change.teamId} where project_id = ${projectId} and id = ${userId}`,
      );
    case 'passwordHash':
      return tx.query(
        sql`update users set password_hash = ${change.value} where project_id = ${projectId} and id = ${userId}`,
      );
    case 'endAllSessions':
      return endAllSessions(tx, projectId, userId);
    case 'deletePasskeys':
      return endPasskeys(tx, { projectId, userId });
    case 'createPrimaryEmail':
      return insertPrimaryChannel(tx, { projectId, userId, nowMillis }, change);
    case 'updatePrimaryEmail':
      return updatePrimaryChannel(tx, { projectId, userId, nowMillis }, change);
    case 'switchPrimaryEmail':
      return switchPrimaryChannel(tx, { projectId, userId, nowMillis }, change);
    case 'deletePrimaryEmail':
      return deletePrimaryChannel(tx, { projectId, userId });
  }
}

/** Also deletes sign-ins that wait for their second factor: they may have begun with a passkey. */
async function endPasskeys(tx: Transaction, user: UserId): Promise<void> {
  await deletePasskeys(tx, user);
  await deleteAttempts(tx, user);
}

/** Also deletes sign-ins that wait for their second factor: they began with the old password. */
async function endAllSessions(tx: Transaction, projectId: string, userId: string): Promise<void> {
  await deleteSessions(tx, projectId, userId, null);
  await deleteAttempts(tx, { projectId, userId });
}
