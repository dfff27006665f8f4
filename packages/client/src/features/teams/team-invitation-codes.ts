import type { Context } from '../../app/context.ts';
import type { Caught } from '../../errors/known-errors.ts';
import { resultOf } from '../../errors/known-result.ts';
import type { Result } from '../../errors/result.ts';

/** What the email of an invitation says. */
export interface TeamInvitationPreview {
  /** The name of the team. */
  readonly teamDisplayName: string;
  /** Null: none. */
  readonly teamProfileImageUrl: string | null;
  /** Name of the inviting member; null when it has none, and for a server. */
  readonly invitedBy: string | null;
  /** The address that it was sent to. */
  readonly recipientEmail: string;
  /** The role that it gives; null: the default permissions of a member. */
  readonly roleId: string | null;
  /** The time from which the code is refused. */
  readonly expiresAt: Date;
}

/** What the receiver of an invitation into a team does with its code. */
export interface TeamInvitationCodeMethods {
  /** Looks whether a code is good, without using it up. @throws when the server cannot be reached. */
  verifyTeamInvitationCode(code: string): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'>>>;

  /**
   * What the email of the invitation says, without a signed-in user and without using the code up. An extension of this
   * server. @throws when the server cannot be reached.
   *
   * @example
   * const invitation = await app.readTeamInvitation(code);
   */
  readTeamInvitation(code: string): Promise<Result<TeamInvitationPreview, Caught<'VERIFICATION_ERROR'>>>;

  /** Which team it is, without using the code up. @throws when no user is signed in, or the server cannot be reached. */
  getTeamInvitationDetails(code: string): Promise<Result<{ teamDisplayName: string }, Caught<'VERIFICATION_ERROR'>>>;

  /**
   * Makes the signed-in user a member of the team, whatever their address, and uses the code up.
   *
   * @throws when no user is signed in, or the server cannot be reached.
   */
  acceptTeamInvitation(code: string): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'>>>;
}

export function teamInvitationCodesFlow(ctx: Context<'client'>): TeamInvitationCodeMethods {
  async function check(code: string): Promise<undefined> {
    await ctx.call('POST /team-invitations/accept/check-code', { body: { code }, session: null });
  }

  async function read(code: string): Promise<TeamInvitationPreview> {
    const wire = await ctx.call('POST /extensions/team-invitations/read', { body: { code }, session: null });
    return Object.freeze({
      teamDisplayName: wire.team_display_name,
      teamProfileImageUrl: wire.team_profile_image_url,
      invitedBy: wire.invited_by,
      recipientEmail: wire.recipient_email,
      roleId: wire.role_id,
      expiresAt: new Date(wire.expires_at_millis),
    });
  }

  async function details(code: string): Promise<{ teamDisplayName: string }> {
    const session = await ctx.sessions.of();
    const { team_display_name } = await ctx.call('POST /team-invitations/accept/details', { body: { code }, session });
    return { teamDisplayName: team_display_name };
  }

  async function accept(code: string): Promise<undefined> {
    const session = await ctx.sessions.of();
    await ctx.call('POST /team-invitations/accept', { body: { code }, session });
    // On an app with a server key the teams are kept by user, not by session.
    await Promise.all([ctx.resources.renew('teams', session), ctx.resources.renew('teams', null)]);
  }

  return {
    verifyTeamInvitationCode: code => resultOf(check(code), ['VERIFICATION_ERROR']),
    readTeamInvitation: code => resultOf(read(code), ['VERIFICATION_ERROR']),
    getTeamInvitationDetails: code => resultOf(details(code), ['VERIFICATION_ERROR']),
    acceptTeamInvitation: code => resultOf(accept(code), ['VERIFICATION_ERROR']),
  };
}
