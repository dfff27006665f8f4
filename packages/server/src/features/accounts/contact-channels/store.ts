import { onlyRow, type Queryable, type Transaction, violatedConstraint } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { lockUser } from '../users/row/index.ts';
import { throwAddressTaken } from './claims-store.ts';

export interface ContactChannel {
  readonly id: string;
  readonly userId: string;
  readonly value: string;
  readonly isPrimary: boolean;
  readonly isVerified: boolean;
  readonly usedForAuth: boolean;
}

/** The user has the address already. */
export class AlreadyThere extends Error {
  override readonly name = 'AlreadyThere';
}

const columns = sql`
  id, user_id as "userId", value, is_primary as "isPrimary", is_verified as "isVerified", used_for_auth as "usedForAuth"
`;

export function selectChannels(
  db: Queryable,
  projectId: string,
  filter: { userId: string | undefined; channelId: string | undefined },
): Promise<ContactChannel[]> {
  const { userId, channelId } = filter;
  return db.query<ContactChannel>(sql`
    select ${columns} from contact_channels
    where project_id = ${projectId}
      ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
      ${channelId === undefined ? sql`` : sql`and id = ${channelId}`}
    order by created_at_millis, id
  `);
}

export async function selectChannel(
  db: Queryable,
  projectId: string,
  userId: string,
  channelId: string,
): Promise<ContactChannel | undefined> {
  const [channel] = await db.query<ContactChannel>(sql`
    select ${columns} from contact_channels
    where project_id = ${projectId} and id = ${channelId} and user_id = ${userId}
  `);
  return channel;
}

/** Whether the user has this address on any channel. */
export async function hasChannel(db: Queryable, projectId: string, userId: string, address: string): Promise<boolean> {
  const rows = await db.query(sql`
    select id from contact_channels
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and value = ${address}
  `);
  return rows.length > 0;
}

/** The number is exact under the lock of the user. */
export async function countChannels(db: Queryable, projectId: string, userId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    select count(*) as count from contact_channels where project_id = ${projectId} and user_id = ${userId}
  `);
  return onlyRow(rows).count;
}

/** @param address normalised */
export async function hasVerifiedAddress(
  db: Queryable,
  projectId: string,
  { userId, address }: { readonly userId: string; readonly address: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    select id from contact_channels
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and value = ${address} and is_verified
  `);
  return rows.length > 0;
}

export async function selectVerifiedAddresses(db: Queryable, projectId: string, userId: string): Promise<string[]> {
  const rows = await db.query<{ value: string }>(sql`
    select value from contact_channels
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and is_verified
  `);
  return rows.map(({ value }) => value);
}

/** @throws AlreadyThere, AddressTaken */
export async function insertChannel(
  tx: Transaction,
  projectId: string,
  channel: ContactChannel & { readonly createdAtMillis: number },
): Promise<void> {
  const insert = tx.query(sql`
    insert into contact_channels (project_id, id, user_id, type, value, is_primary, is_verified, used_for_auth, created_at_millis)
    values (
      ${projectId}, ${channel.id}, ${channel.userId}, 'email', ${channel.value}, ${channel.isPrimary}, ${channel.isVerified},
      ${channel.usedForAuth}, ${channel.createdAtMillis}
    )
  `);
  await insert.catch(throwConflict);
}

/** @throws AlreadyThere, AddressTaken */
export async function updateChannel(tx: Transaction, projectId: string, channel: ContactChannel): Promise<void> {
  const update = tx.query(sql`
    update contact_channels set
      value = ${channel.value}, is_primary = ${channel.isPrimary}, is_verified = ${channel.isVerified},
      used_for_auth = ${channel.usedForAuth}
    where project_id = ${projectId} and id = ${channel.id} and user_id = ${channel.userId}
  `);
  await update.catch(throwConflict);
}

/** Removes the primary flag, so that another channel can have it. */
export async function clearPrimary(tx: Transaction, projectId: string, userId: string): Promise<void> {
  await tx.query(sql`
    update contact_channels set is_primary = false
    where project_id = ${projectId} and user_id = ${userId} and is_primary
  `);
}

export async function deleteChannel(
  tx: Transaction,
  projectId: string,
  userId: string,
  channelId: string,
): Promise<void> {
  await tx.query(sql`
    delete from contact_channels where project_id = ${projectId} and id = ${channelId} and user_id = ${userId}
  `);
}

/**
 * Locks the user first, like every writer of channels: the trigger writes the user row, and a different lock order could
 * deadlock.
 *
 * @returns false when the user does not have the address
 */
export async function markVerified(
  tx: Transaction,
  projectId: string,
  userId: string,
  address: string,
): Promise<boolean> {
  await lockUser(tx, { projectId, userId }, 'change');
  const rows = await tx.query(sql`
    update contact_channels set is_verified = true
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and value = ${address} returning id
  `);
  return rows.length > 0;
}

function throwConflict(error: unknown): never {
  if (violatedConstraint(error) === 'contact_channels_once_per_user')
    throw new AlreadyThere('the user has this address');
  throwAddressTaken(error);
}
