import type { InvitedRole, ProjectRole, Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { renewProjectList } from '../projects/project-lists.ts';

/** A user of `internal` who manages a project. A snapshot. */
export interface ProjectMember {
  /** Id of the user in the project `internal`. */
  readonly userId: string;
  /** Null: the user has no name. */
  readonly displayName: string | null;
  /** Null: the user has no address. */
  readonly primaryEmail: string | null;
  /** Null: the user has no picture. */
  readonly profileImageUrl: string | null;
  /** A viewer reads, an admin changes, an owner also manages members and the existence of the project. */
  readonly role: ProjectRole;
  /** When the user became a member; null for owners, whose record has no time. */
  readonly joinedAt: Date | null;
  /** When the user was last active. */
  readonly lastActiveAt: Date;
}

/** An open invitation to manage a project. A snapshot. */
export interface ProjectInvitation {
  /** Id of the invitation. */
  readonly id: string;
  /** The invited address. */
  readonly recipientEmail: string;
  /** The role after acceptance. */
  readonly role: InvitedRole;
  /** When the invitation was sent. */
  readonly createdAt: Date;
  /** When it ends unused. */
  readonly expiresAt: Date;
}

/**
 * Methods of an admin app for the members of its project. Changes need the session of an owner of the project; the
 * server refuses keys with a text 403, and an older sign-in with REAUTHENTICATION_REQUIRED.
 */
export interface ProjectMemberMethods {
  /**
   * The users who manage the project: owners first, then by time of joining.
   *
   * @example
   * const owners = (await app.listProjectMembers()).filter(member => member.role === 'owner');
   */
  listProjectMembers(): Promise<ProjectMember[]>;
  /**
   * Changes the role of a member who is not an owner.
   *
   * @throws PROJECT_ROLE_INSUFFICIENT unless the caller owns the project
   * @example
   * await app.updateProjectMember(userId, { role: 'viewer' });
   */
  updateProjectMember(userId: string, changes: { role: InvitedRole }): Promise<void>;
  /**
   * Removes a member who is not an owner. A member who removes the own membership leaves the project.
   *
   * @throws PROJECT_ROLE_INSUFFICIENT when a member who is not an owner removes another one
   * @example
   * await app.removeProjectMember(userId);
   */
  removeProjectMember(userId: string): Promise<void>;
  /**
   * Makes a member the owner. The owner who calls becomes an admin, and both get an email.
   *
   * @throws PROJECT_ROLE_INSUFFICIENT unless the caller owns the project
   * @example
   * await app.transferProject({ userId, displayName: 'Shop' });
   */
  transferProject(options: {
    /** The member who becomes the owner. */
    userId: string;
    /** The name of the project, typed as a confirmation. */
    displayName: string;
  }): Promise<void>;
  /**
   * The open invitations, oldest first.
   *
   * @example
   * const [invitation] = await app.listProjectInvitations();
   */
  listProjectInvitations(): Promise<ProjectInvitation[]>;
  /**
   * Emails an invitation. It lives 7 days and works once. It replaces an open invitation of the same address.
   *
   * @throws PROJECT_ROLE_INSUFFICIENT unless the caller owns the project
   * @example
   * await app.inviteProjectMember({ email: 'grace@example.com', role: 'admin' });
   */
  inviteProjectMember(options: { email: string; role: InvitedRole }): Promise<ProjectInvitation>;
  /**
   * Makes an invitation useless.
   *
   * @throws VERIFICATION_CODE_NOT_FOUND when it was accepted, revoked or expired
   * @example
   * const [invitation] = await app.listProjectInvitations();
   * if (invitation) await app.revokeProjectInvitation(invitation.id);
   */
  revokeProjectInvitation(invitationId: string): Promise<void>;
}

export function projectMembers(ctx: Context<'admin'>): { methods: ProjectMemberMethods } {
  const { call } = ctx;
  return {
    methods: {
      async listProjectMembers() {
        const { items } = await call('GET /internal/extensions/project-members', { session: null });
        return items.map(memberFromWire);
      },
      async updateProjectMember(userId, { role }) {
        const request = { params: { user_id: userId }, body: { role }, session: null };
        await call('PATCH /internal/extensions/project-members/{user_id}', request);
      },
      async removeProjectMember(userId) {
        const request = { params: { user_id: userId }, session: null };
        await call('DELETE /internal/extensions/project-members/{user_id}', request);
        await renewProjectList(ctx);
      },
      async transferProject({ userId, displayName }) {
        const body = { user_id: userId, display_name: displayName };
        await call('POST /internal/extensions/project-transfer', { body, session: null });
        await renewProjectList(ctx);
      },
      async listProjectInvitations() {
        const { items } = await call('GET /internal/extensions/project-invitations', { session: null });
        return items.map(invitationFromWire);
      },
      async inviteProjectMember({ email, role }) {
        const request = { body: { email, role }, session: null };
        return invitationFromWire(await call('POST /internal/extensions/project-invitations', request));
      },
      async revokeProjectInvitation(id) {
        await call('DELETE /internal/extensions/project-invitations/{id}', { params: { id }, session: null });
      },
    },
  };
}

type MemberJson = Reply<Routes['GET /internal/extensions/project-members'], 'admin'>['items'][number];
type InvitationJson = Reply<Routes['GET /internal/extensions/project-invitations'], 'admin'>['items'][number];

function memberFromWire(wire: MemberJson): ProjectMember {
  return Object.freeze({
    userId: wire.user_id,
    displayName: wire.display_name,
    primaryEmail: wire.primary_email,
    profileImageUrl: wire.profile_image_url,
    role: wire.role,
    joinedAt: wire.joined_at_millis === null ? null : new Date(wire.joined_at_millis),
    lastActiveAt: new Date(wire.last_active_at_millis),
  });
}

function invitationFromWire(wire: InvitationJson): ProjectInvitation {
  return Object.freeze({
    id: wire.id,
    recipientEmail: wire.recipient_email,
    role: wire.role,
    createdAt: new Date(wire.created_at_millis),
    expiresAt: new Date(wire.expires_at_millis),
  });
}
