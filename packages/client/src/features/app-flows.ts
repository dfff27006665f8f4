import type { Context } from '../app/context.ts';
import { lazily } from '../util/once.ts';
import { emailVerificationFlow } from './account/email-verification.ts';
import type { AppFlows } from './flows.ts';
import type { ProjectInvitationMethods } from './projects/project-invitations.ts';
import { cliLoginFlow } from './sign-in/cli.ts';
import { magicLinkFlow } from './sign-in/magic-link.ts';
import type { OAuthMethods } from './sign-in/oauth/oauth.ts';
import type { PasskeyMethods } from './sign-in/passkey/passkey.ts';
import { passwordFlow } from './sign-in/password/password.ts';
import { passwordResetFlow } from './sign-in/password/password-reset.ts';
import { mfaFlow } from './sign-in/second-factor/mfa.ts';
import { teamInvitationCodesFlow } from './teams/team-invitation-codes.ts';

export function appFlows(ctx: Context<'client'>): AppFlows {
  return {
    ...passwordFlow(ctx),
    ...magicLinkFlow(ctx),
    ...mfaFlow(ctx),
    ...passwordResetFlow(ctx),
    ...teamInvitationCodesFlow(ctx),
    ...emailVerificationFlow(ctx),
    ...cliLoginFlow(ctx),
    // Larger, and not on every page: in chunks of their own.
    ...lazily<OAuthMethods>({ signInWithOAuth: true, callOAuthCallback: true }, async () =>
      (await import('./sign-in/oauth/oauth.ts')).oauthFlow(ctx),
    ),
    ...lazily<PasskeyMethods>({ signInWithPasskey: true }, async () =>
      (await import('./sign-in/passkey/passkey.ts')).passkeyFlow(ctx),
    ),
    // Only the dashboard needs them.
    ...lazily<ProjectInvitationMethods>(
      { getProjectInvitationDetails: true, acceptProjectInvitation: true, signUpWithProjectInvitation: true },
      async () => (await import('./projects/project-invitations.ts')).projectInvitationFlow(ctx),
    ),
  };
}
