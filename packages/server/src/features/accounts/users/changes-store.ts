import type { Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { UserChange } from './rules.ts';
import { insertPrimaryChannel, jsonText, refreshSearch, releaseAddress, throwAddressTaken } from './store.ts';

/** Other changes of the user wait for the lock; new sessions, codes and channels do not. */
export async function lockUser(tx: Transaction, projectId: string, userId: string): Promise<void> {
  await tx.query(sql`select id from users where project_id = ${projectId} and id = ${userId} for no key update`);
}

/** Keeps a membership, if it exists, until the transaction ends. */
export async function holdMembership(
  tx: Transaction,
  projectId: string,
  userId: string,
  teamId: string,
): Promise<void> {
  await tx.query(sql`
    select team_id from team_memberships
    where project_id = ${projectId} and user_id = ${userId} and team_id = ${teamId} for key share
  `);
}

/** Every writer of rows that refer to the user waits, so that no row appears between the read and the delete. */
export async function lockUserToDelete(tx: Transaction, projectId: string, userId: string): Promise<void> {
  await tx.query(sql`select id from users where project_id = ${projectId} and id = ${userId} for update`);
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
        sql`update users set totp_secret = ${change.value}, totp_last_step = null where project_id = ${projectId} and id = ${userId}`,
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
      return deletePasskeys(tx, projectId, userId);
    case 'createPrimaryEmail':
      return insertPrimaryChannel(tx, projectId, userId, { ...change, nowMillis });
    case 'updatePrimaryEmail':
      return updatePrimaryChannel(tx, { projectId, userId, nowMillis }, change);
    case 'switchPrimaryEmail':
      return switchPrimaryChannel(tx, { projectId, userId, nowMillis }, change);
    case 'deletePrimaryEmail':
      return tx.query(
        sql`delete from contact_channels where project_id = ${projectId} and user_id = ${userId} and type = 'email' and is_primary`,
      );
  }
}

/** Also deletes sign-ins that wait for their second factor: they began with the old password. */
async function endAllSessions(tx: Transaction, projectId: string, userId: string): Promise<void> {
  await tx.query(sql`delete from sessions where project_id = ${projectId} and user_id = ${userId}`);
  await tx.query(sql`
    delete from one_time_codes where project_id = ${projectId} and user_id = ${userId} and kind = 'mfa_attempt'
  `);
}

/** Deletes all passkeys of the user (docs/contract/decisions.md#passwords-and-passkeys). */
export async function deletePasskeys(tx: Transaction, projectId: string, userId: string): Promise<void> {
  await tx.query(sql`delete from passkeys where project_id = ${projectId} and user_id = ${userId}`);
  await tx.query(sql`update users set has_passkey = false where project_id = ${projectId} and id = ${userId}`);
}

async function updatePrimaryChannel(
  tx: Transaction,
  { projectId, userId, nowMillis }: { projectId: string; userId: string; nowMillis: number },
  channel: { value: string; isVerified: boolean; usedForAuth: boolean },
): Promise<void> {
  const claim = { projectId, address: channel.value, userId, nowMillis };
  if (channel.isVerified && channel.usedForAuth) await releaseAddress(tx, claim);
  const update = tx.query(sql`
    update contact_channels
    set value = ${channel.value}, is_verified = ${channel.isVerified}, used_for_auth = ${channel.usedForAuth}
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and is_primary
  `);
  await update.catch(throwAddressTaken);
}

/** Makes another channel of the same user the primary one. */
async function switchPrimaryChannel(
  tx: Transaction,
  { projectId, userId, nowMillis }: { projectId: string; userId: string; nowMillis: number },
  channel: { value: string; isVerified: boolean | undefined; usedForAuth: boolean | undefined },
): Promise<void> {
  const claim = { projectId, address: channel.value, userId, nowMillis };
  if (channel.isVerified === true && channel.usedForAuth === true) await releaseAddress(tx, claim);
  await tx.query(sql`
    update contact_channels set is_primary = false
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and is_primary
  `);
  const update = tx.query(sql`
    update contact_channels
    set is_primary = true,
      is_verified = coalesce(${channel.isVerified ?? null}, is_verified),
      used_for_auth = coalesce(${channel.usedForAuth ?? null}, used_for_auth)
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and value = ${channel.value}
  `);
  await update.catch(throwAddressTaken);
}
