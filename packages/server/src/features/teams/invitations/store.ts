import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** An invitation that can still be accepted. */
export interface Invitation {
  readonly id: string;
  readonly teamId: string;
  readonly recipientEmail: string;
  readonly expiresAtMillis: number;
}

/** The unused, unexpired invitations of a team, oldest first. */
export function selectOpenInvitations(
  db: Queryable,
  projectId: string,
  { teamId, nowMillis }: { teamId: string; nowMillis: number },
): Promise<Invitation[]> {
  return db.query<Invitation>(sql`
    select id, data ->> 'teamId' as "teamId", address as "recipientEmail", expires_at_millis as "expiresAtMillis"
    from one_time_codes
    where project_id = ${projectId} and kind = 'team_invitation' and data ->> 'teamId' = ${teamId}
      and used_at_millis is null and expires_at_millis > ${nowMillis}
    order by created_at_millis, id
  `);
}

/** Deletes an invitation of the team. Codes of other teams and of other kinds stay. */
export async function deleteInvitation(
  tx: Transaction,
  projectId: string,
  { teamId, id }: { teamId: string; id: string },
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from one_time_codes
    where project_id = ${projectId} and id = ${id} and kind = 'team_invitation' and data ->> 'teamId' = ${teamId}
    returning id
  `);
  return rows.length > 0;
}
