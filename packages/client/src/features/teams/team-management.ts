import type { Context } from '../../app/context.ts';
import type { Session } from '../../session/session.ts';
import { lazily } from '../../util/once.ts';
import type { HasId } from '../account/subject.ts';

/** A team permission that members hold as a role. */
export interface TeamRole {
  /** Id of the permission. */
  readonly id: string;
  /** Null: none. */
  readonly description: string | null;
  /** Whether the signed-in user can give this role to a member. */
  readonly isAssignable: boolean;
}

/** A member of a team with roles. A snapshot. */
export interface TeamMember {
  /** Id of the user. */
  readonly userId: string;
  /** Name inside this team; null: none. */
  readonly displayName: string | null;
  /** Image inside this team; null: none. */
  readonly profileImageUrl: string | null;
  /** The address of the member; null unless the caller is this member or has `$remove_members`. */
  readonly primaryEmail: string | null;
  /** The highest role first. */
  readonly roleIds: readonly string[];
  /** When the membership began. */
  readonly joinedAt: Date;
}

/** A page of the members of a team. */
export interface TeamMembersPage {
  /** The members of the page, in the order of joining. */
  readonly items: readonly TeamMember[];
  /** Cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
  /** The roles of the project, the highest first; its holders administer the team. */
  readonly roles: readonly TeamRole[];
  /** Whether the signed-in user is the last administrator among several members. */
  readonly needsSuccessor: boolean;
}

/** An open invitation with its role. A snapshot. */
export interface OpenTeamInvitation {
  /** Id of the invitation; not its code. */
  readonly id: string;
  /** The address that it was sent to. */
  readonly recipientEmail: string;
  /** Null: the default permissions of a member. */
  readonly roleId: string | null;
  /** Name of the inviting member; null when it has none. */
  readonly invitedBy: string | null;
  /** The time from which the code of the invitation is refused. */
  readonly expiresAt: Date;
}

/** Members with roles, and invitations with a role, as the signed-in user may manage them. Not cached. */
export interface TeamManagement {
  /**
   * The members with their roles. A member needs `$read_members`.
   *
   * @example
   * const { items, roles } = await user.manageTeam(team).getMembers();
   */
  getMembers(options?: { cursor?: string | undefined; limit?: number | undefined }): Promise<TeamMembersPage>;
  /**
   * Replaces the roles of a member. Needs `$invite_members` and `$remove_members`.
   *
   * @throws `TEAM_ROLE_NOT_ASSIGNABLE`, and `LAST_TEAM_ADMIN` for the last administrator.
   */
  changeMemberRole(userId: string, roleId: string): Promise<void>;
  /**
   * Removes a member, or the signed-in user. Removing others needs `$remove_members`.
   *
   * @param options.successorUserId who becomes an administrator when the last one leaves
   * @throws `LAST_TEAM_ADMIN` when a successor is missing.
   */
  removeMember(userId: string, options?: { successorUserId?: string | undefined }): Promise<void>;
  /** The open invitations with their roles. Needs `$read_members` and `$invite_members`. */
  getOpenInvitations(): Promise<OpenTeamInvitation[]>;
  /** Makes the code of an invitation useless. Needs `$remove_members`. */
  revokeInvitation(id: string): Promise<void>;
  /**
   * Emails an invitation that is valid for seven days. Needs `$invite_members`.
   *
   * @throws `TEAM_ROLE_NOT_ASSIGNABLE`
   * @example
   * await user.manageTeam(team).inviteMember({ email: 'grace@example.com', roleId: 'team_admin' });
   */
  inviteMember(options: {
    email: string;
    /** Default: the default permissions of a member. */
    roleId?: string | undefined;
    /** Where the link leads. Default: `urls.teamInvitation`; needed on a server. */
    callbackUrl?: string | undefined;
  }): Promise<void>;
}

const names: Record<keyof TeamManagement, true> = {
  getMembers: true,
  changeMemberRole: true,
  removeMember: true,
  getOpenInvitations: true,
  revokeInvitation: true,
  inviteMember: true,
};

/** Teams as the signed-in user may manage them. Extensions of this server. */
export interface TeamManagementMethods {
  /**
   * The members of a team with their roles, and its invitations.
   *
   * @example
   * await user.manageTeam(team).changeMemberRole(userId, 'team_admin');
   */
  manageTeam(team: HasId): TeamManagement;
}

export function teamManagement(ctx: Context<'client'>, session: Session): TeamManagementMethods {
  return {
    manageTeam: ({ id }) =>
      lazily(names, async () => (await import('./team-management-flow.ts')).teamManagementFlow(ctx, session, id)),
  };
}
