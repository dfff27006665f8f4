import type { Context } from '../context.ts';
import { lazily } from '../once.ts';
import { emailVerificationFlow } from './email-verification-flow.ts';
import type { AppFlows } from './flows.ts';
import { passwordResetFlow } from './password-reset-flow.ts';
import { cliLoginFlow } from './sign-in/cli-flow.ts';
import { magicLinkFlow } from './sign-in/magic-link-flow.ts';
import { mfaFlow } from './sign-in/mfa-flow.ts';
import type { OAuthMethods } from './sign-in/oauth.ts';
import type { PasskeyMethods } from './sign-in/passkey.ts';
import { passwordFlow } from './sign-in/password-flow.ts';
import { signOutFlow } from './sign-out-flow.ts';
import { teamInvitationCodesFlow } from './team-invitation-codes-flow.ts';

export function appFlows(ctx: Context<'client'>): AppFlows {
  return {
    ...passwordFlow(ctx),
    ...magicLinkFlow(ctx),
    ...mfaFlow(ctx),
    ...passwordResetFlow(ctx),
    ...teamInvitationCodesFlow(ctx),
    ...emailVerificationFlow(ctx),
    ...signOutFlow(ctx),
    ...cliLoginFlow(ctx),
    // Larger, and not on every page: in chunks of their own.
    ...lazily<OAuthMethods>({ signInWithOAuth: true, callOAuthCallback: true }, async () =>
      (await import('./sign-in/oauth-flow.ts')).oauthFlow(ctx),
    ),
    ...lazily<PasskeyMethods>({ signInWithPasskey: true }, async () =>
      (await import('./sign-in/passkey-flow.ts')).passkeyFlow(ctx),
    ),
  };
}
