import type { InvitedRole } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { finishSignIn } from '../sign-in/finish.ts';

/** What an invitation to manage a project says, before it is used. */
export interface ProjectInvitationDetails {
  /** The name of the project. */
  readonly projectDisplayName: string;
  /** The role after acceptance. */
  readonly role: InvitedRole;
  /** The invited address. */
  readonly recipientEmail: string;
  /** Whether an account signs in with the invited address. */
  readonly hasAccount: boolean;
}

/** What the receiver of an invitation to manage a project does. Only an app of the project `internal` can do this. */
export interface ProjectInvitationMethods {
  /**
   * Reads an invitation without using it. No user needs to be signed in.
   *
   * @throws when the code is unknown, used or expired
   * @example
   * const { projectDisplayName, role } = await app.getProjectInvitationDetails(code);
   */
  getProjectInvitationDetails(code: string): Promise<ProjectInvitationDetails>;
  /**
   * Makes the signed-in user a member of the project, whatever their address, and uses the invitation.
   *
   * @throws when no user is signed in, or the code is unknown, used or expired
   * @example
   * const { projectId } = await app.acceptProjectInvitation(code);
   */
  acceptProjectInvitation(code: string): Promise<{ readonly projectId: string }>;
  /**
   * Creates the account of the invited address, also while sign-up is off, accepts the invitation and signs in.
   *
   * @throws when the code is unknown, used or expired, the address has an account, or the password is refused
   * @example
   * await app.signUpWithProjectInvitation({ code, password });
   */
  signUpWithProjectInvitation(options: {
    /** From the link in the email. */
    code: string;
    password: string;
    displayName?: string | undefined;
    /** Stay on the page after success. */
    noRedirect?: boolean | undefined;
  }): Promise<void>;
}

export function projectInvitationFlow(ctx: Context<'client'>): ProjectInvitationMethods {
  return {
    async getProjectInvitationDetails(code) {
      const wire = await ctx.call('POST /extensions/project-invitations/details', { body: { code }, session: null });
      return Object.freeze({
        projectDisplayName: wire.project_display_name,
        role: wire.role,
        recipientEmail: wire.recipient_email,
        hasAccount: wire.has_account,
      });
    },
    async acceptProjectInvitation(code) {
      const session = await ctx.sessions.of();
      const wire = await ctx.call('POST /extensions/project-invitations/accept', { body: { code }, session });
      if (session !== null) await ctx.resources.renew('ownedProjects', session);
      return Object.freeze({ projectId: wire.project_id });
    },
    async signUpWithProjectInvitation({ code, password, displayName, noRedirect }) {
      const body = { code, password, display_name: displayName };
      const signedUp = await ctx.call('POST /extensions/project-invitations/sign-up', { body, session: null });
      await finishSignIn(ctx, signedUp, { page: 'afterSignUp', noRedirect });
    },
  };
}
