import type { Context } from '../context.ts';
import { resultOf } from '../known-result.ts';
import type { TeamInvitationCodeMethods } from './team-invitation-codes.ts';

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
