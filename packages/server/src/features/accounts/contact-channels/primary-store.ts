import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { UserId } from '../users/row/index.ts';
import { claimAddress, throwAddressTaken } from './claims-store.ts';
import { clearPrimary, insertChannel } from './store.ts';

interface ChangedUser extends UserId {
  readonly nowMillis: number;
}

interface PrimaryAddress {
  readonly value: string;
  readonly isVerified: boolean;
  readonly usedForAuth: boolean;
}

/** @throws AddressTaken */
export async function insertPrimaryChannel(tx: Transaction, user: ChangedUser, address: PrimaryAddress): Promise<void> {
  const { projectId, userId, nowMillis: createdAtMillis } = user;
  await claimAddress(tx, user, address);
  const { value, isVerified, usedForAuth } = address;
  const channel = { id: randomUUID(), userId, value, isPrimary: true, isVerified, usedForAuth };
  await insertChannel(tx, projectId, { ...channel, createdAtMillis });
}

/** @throws AddressTaken */
export async function updatePrimaryChannel(tx: Transaction, user: ChangedUser, channel: PrimaryAddress): Promise<void> {
  const { projectId, userId } = user;
  await claimAddress(tx, user, channel);
  const update = tx.query(sql`
    update contact_channels
    set value = ${channel.value}, is_verified = ${channel.isVerified}, used_for_auth = ${channel.usedForAuth}
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and is_primary
  `);
  await update.catch(throwAddressTaken);
}

/** Makes another channel of the same user the primary one. */
export async function switchPrimaryChannel(
  tx: Transaction,
  user: ChangedUser,
  channel: { value: string; isVerified: boolean | undefined; usedForAuth: boolean | undefined },
): Promise<void> {
  const { projectId, userId } = user;
  const { value } = channel;
  const [stored] = await tx.query<{ isVerified: boolean; usedForAuth: boolean }>(sql`
    select is_verified as "isVerified", used_for_auth as "usedForAuth" from contact_channels
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and value = ${value}
  `);
  const isVerified = channel.isVerified ?? stored?.isVerified ?? false;
  const usedForAuth = channel.usedForAuth ?? stored?.usedForAuth ?? false;
  await claimAddress(tx, user, { value, isVerified, usedForAuth });
  await clearPrimary(tx, projectId, userId);
  const update = tx.query(sql`
    update contact_channels
    set is_primary = true, is_verified = ${isVerified}, used_for_auth = ${usedForAuth}
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and value = ${value}
  `);
  await update.catch(throwAddressTaken);
}

export async function deletePrimaryChannel(tx: Transaction, { projectId, userId }: UserId): Promise<void> {
  await tx.query(sql`
    delete from contact_channels
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and is_primary
  `);
}

/** Deletes all addresses of the user except one. @param address null keeps none */
export async function deleteOtherChannels(
  tx: Transaction,
  { projectId, userId }: UserId,
  address: string | null,
): Promise<void> {
  await tx.query(sql`
    delete from contact_channels
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and value is distinct from ${address}
  `);
}

/** Makes an address the primary and a verified one. No other channel of the user is primary. */
export async function confirmPrimaryChannel(
  tx: Transaction,
  { projectId, userId }: UserId,
  address: string,
): Promise<void> {
  await tx.query(sql`
    update contact_channels set is_primary = true, is_verified = true
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and value = ${address}
  `);
}
