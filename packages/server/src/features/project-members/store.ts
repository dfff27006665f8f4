import type { InvitedRole } from '@tessera/protocol';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** An invitation that can still be accepted. */
export interface Invitation {
  readonly id: string;
  readonly recipientEmail: string;
  readonly role: InvitedRole;
  readonly createdAtMillis: number;
  readonly expiresAtMillis: number;
}

/** The unused, unexpired invitations of a project, oldest first. */
export function selectOpenInvitations(
  db: Queryable,
  { projectId, nowMillis }: { projectId: string; nowMillis: number },
): Promise<Invitation[]> {
  return db.query<Invitation>(sql`
    select id, coalesce(address, '') as "recipientEmail", data ->> 'role' as role,
      created_at_millis as "createdAtMillis", expires_at_millis as "expiresAtMillis"
    from one_time_codes
    where project_id = 'internal' and kind = 'project_invitation' and data ->> 'projectId' = ${projectId}
      and used_at_millis is null and expires_at_millis > ${nowMillis}
    order by created_at_millis, id
  `);
}
