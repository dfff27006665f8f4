import type { Input, messageEndpoints } from '@tessera/protocol';
import { type Statement, sql } from '../../../platform/database/sql.ts';

export type Audience = Input<typeof messageEndpoints.create>['body']['audience'];

/** The conditions of an audience; a missing one always holds. */
interface Conditions {
  readonly userIds?: readonly string[];
  readonly teamId?: string;
  readonly isVerified?: boolean | undefined;
  readonly signedUpFrom?: number | undefined;
  readonly signedUpTo?: number | undefined;
  readonly activeFrom?: number | undefined;
  readonly activeTo?: number | undefined;
}

function conditionsOf(audience: Audience): Conditions {
  switch (audience.type) {
    case 'all':
      return {};
    case 'team':
      return { teamId: audience.team_id };
    case 'users':
      return { userIds: audience.user_ids };
    case 'filter':
      return {
        isVerified: audience.is_verified,
        signedUpFrom: audience.signed_up_from_millis,
        signedUpTo: audience.signed_up_to_millis,
        activeFrom: audience.active_from_millis,
        activeTo: audience.active_to_millis,
      };
  }
}

/** The condition of an audience on the users `u` of a project, as a part of a `where` clause. */
export function andInAudience(audience: Audience): Statement {
  const { userIds, teamId, isVerified, signedUpFrom, signedUpTo, activeFrom, activeTo } = conditionsOf(audience);
  return sql`
    ${userIds === undefined ? sql`` : sql`and u.id = any(${[...userIds]}::uuid[])`}
    ${teamId === undefined ? sql`` : isMember(teamId)}
    ${isVerified === undefined ? sql`` : sql`and u.primary_email_verified = ${isVerified}`}
    ${signedUpFrom === undefined ? sql`` : sql`and u.signed_up_at_millis >= ${signedUpFrom}`}
    ${signedUpTo === undefined ? sql`` : sql`and u.signed_up_at_millis < ${signedUpTo}`}
    ${activeFrom === undefined ? sql`` : sql`and u.last_active_at_millis >= ${activeFrom}`}
    ${activeTo === undefined ? sql`` : sql`and coalesce(u.last_active_at_millis, 0) < ${activeTo}`}
  `;
}

function isMember(teamId: string): Statement {
  return sql`and exists (
    select from team_memberships tm where tm.project_id = u.project_id and tm.user_id = u.id and tm.team_id = ${teamId}
  )`;
}
