import type { ProjectConfig } from '@tessera/client';

/** What a member sees and may do on the page of a team (docs/contract/handler-pages.md#team-page). */
export interface TeamRights {
  readonly mayUpdate: boolean;
  readonly seesMembers: boolean;
  /** The members with their roles need $read_members. */
  readonly seesRoles: boolean;
  readonly mayInvite: boolean;
  readonly seesInvitations: boolean;
  readonly mayRemove: boolean;
  readonly mayDelete: boolean;
  readonly hasApiKeys: boolean;
}

export function teamRights(
  permissions: readonly string[],
  { allowTeamApiKeys }: Pick<ProjectConfig, 'allowTeamApiKeys'>,
): TeamRights {
  const has = (id: string) => permissions.includes(id);
  return {
    mayUpdate: has('$update_team'),
    seesMembers: has('$read_members') || has('$invite_members'),
    seesRoles: has('$read_members'),
    mayInvite: has('$invite_members'),
    seesInvitations: has('$invite_members') && has('$read_members'),
    mayRemove: has('$remove_members'),
    mayDelete: has('$delete_team'),
    hasApiKeys: allowTeamApiKeys && has('$manage_api_keys'),
  };
}
