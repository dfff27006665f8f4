/**
 * The roles of the people who manage a project, lowest first (docs/contract/projects.md#members-and-roles). A viewer
 * reads everything except secrets and emails. An admin changes everything except members, ownership and the existence of the
 * project.
 */
export const projectRoles = ['viewer', 'admin', 'owner'] as const;

/** A role in a project. */
export type ProjectRole = (typeof projectRoles)[number];

/** The roles that an invitation can give; ownership is transferred. */
export const invitedRoles = ['viewer', 'admin'] as const;

/** A role that an invitation can give. */
export type InvitedRole = (typeof invitedRoles)[number];

/** True when `role` is at least `lowest`. */
export function isRoleAtLeast(role: ProjectRole, lowest: ProjectRole): boolean {
  return projectRoles.indexOf(role) >= projectRoles.indexOf(lowest);
}
