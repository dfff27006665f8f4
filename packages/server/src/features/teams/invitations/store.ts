import type { Queryable } from '../../../platform/database/database.ts';
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
  // An invitation has an address; codes of other kinds may have none.
  return db.query<Invitation>(sql`
    select id, data ->> 'teamId' as "teamId", coalesce(address, '') as "recipientEmail",
      expires_at_millis as "expiresAtMillis"
    from one_time_codes
    where project_id = ${projectId} and kind = 'team_invitation' and data ->> 'teamId' = ${teamId}
      and used_at_millis is null and expires_at_millis > ${nowMillis}
    order by created_at_millis, id
  `);
}
