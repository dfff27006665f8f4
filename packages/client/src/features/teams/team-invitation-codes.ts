import type { Context } from '../../app/context.ts';
import type { Caught } from '../../errors/known-errors.ts';
import { resultOf } from '../../errors/known-result.ts';
import type { Result } from '../../errors/result.ts';

/** What the receiver of an invitation into a team does with its code. */
export interface TeamInvitationCodeMethods {
  /** Looks whether a code is good, without using it up. @throws when the server cannot be reached. */
  verifyTeamInvitationCode(code: string): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'>>>;

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
    getTeamInvitationDetails: code => resultOf(details(code), ['VERIFICATION_ERROR']),
    acceptTeamInvitation: code => resultOf(accept(code), ['VERIFICATION_ERROR']),
  };
}
