import type { Transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** The team or project that invites. */
export interface Inviting {
  readonly kind: 'team_invitation' | 'project_invitation';
  readonly id: string;
}

/** The index of the invitations of a team has these conditions. */
const invitesTo = ({ kind, id }: Inviting) =>
  kind === 'team_invitation'
    ? sql`kind = 'team_invitation' and data ->> 'teamId' = ${id}`
    : sql`kind = 'project_invitation' and data ->> 'projectId' = ${id}`;

/**
 * Records who accepted an invitation: this user reads the emails of the invited address, verified or not.
 *
 * @returns false when the invitation was deleted after its code was redeemed
 */
export async function recordAcceptance(
  tx: Transaction,
  projectId: string,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update one_time_codes set data = (data::jsonb || jsonb_build_object('acceptedBy', ${userId}::text))::json
    where project_id = ${projectId} and id = ${id}
    returning id
  `);
  return rows.length > 0;
}

/**
 * Deletes the invitations with which a user could still join: those to a verified address of the user, and those to an
 * address whose invitation the user accepted before. Accepted ones stay, and their codes stay used.
 *
 * @param options.inviterId also deletes what this user sent
 */
export async function deleteInvitations(
  tx: Transaction,
  projectId: string,
  {
    to,
    userId,
    inviterId,
  }: { readonly to: Inviting; readonly userId: string; readonly inviterId?: string | undefined },
): Promise<void> {
  // A redeemed code without an acceptance is of a request that has not joined yet, and that then fails.
  await tx.query(sql`
    delete from one_time_codes
    where project_id = ${projectId} and ${invitesTo(to)} and data ->> 'acceptedBy' is null
      and (
        address in (
          select value from contact_channels
          where project_id = ${projectId} and user_id = ${userId} and type = 'email' and is_verified
          union all
          select address from one_time_codes
          where project_id = ${projectId} and ${invitesTo(to)} and data ->> 'acceptedBy' = ${userId}
        )
        or data ->> 'inviterId' = ${inviterId ?? null}
      )
  `);
}

/** Deletes the open invitations that a user sent, to all teams of the project or to all projects. */
export async function deleteSentInvitations(
  tx: Transaction,
  { projectId, userId }: { readonly projectId: string; readonly userId: string },
): Promise<void> {
  await tx.query(sql`
    delete from one_time_codes
    where project_id = ${projectId} and kind in ('team_invitation', 'project_invitation')
      and data ->> 'acceptedBy' is null and data ->> 'inviterId' = ${userId}
  `);
}
