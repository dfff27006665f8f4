import { onlyRow, type Transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { UserId } from '../accounts/users/index.ts';

export interface SeenDevice {
  /** No earlier sign-in of the user came from it. */
  readonly isNew: boolean;
  /** The user has signed in from other devices before. */
  readonly hasOthers: boolean;
}

/** Records a device that a user signs in from. The transaction must hold the user. */
export async function recordDevice(
  tx: Transaction,
  { projectId, userId, device, nowMillis }: { projectId: string; userId: string; device: Buffer; nowMillis: number },
): Promise<SeenDevice> {
  // The subqueries read the state before the insert.
  return onlyRow(
    await tx.query<SeenDevice>(sql`
      with recorded as (
        insert into sign_in_devices (project_id, user_id, device, last_seen_at_millis)
        values (${projectId}, ${userId}, ${device}, ${nowMillis})
        on conflict (project_id, user_id, device) do update set last_seen_at_millis = excluded.last_seen_at_millis
      )
      select
        not exists (
          select from sign_in_devices
          where project_id = ${projectId} and user_id = ${userId} and device = ${device}
        ) as "isNew",
        exists (
          select from sign_in_devices
          where project_id = ${projectId} and user_id = ${userId} and device <> ${device}
        ) as "hasOthers"
    `),
  );
}

export async function deleteDevices(tx: Transaction, { projectId, userId }: UserId): Promise<void> {
  await tx.query(sql`delete from sign_in_devices where project_id = ${projectId} and user_id = ${userId}`);
}
