import type { Context } from '../app/context.ts';
import { lazily } from '../util/once.ts';
import type { EmailVerificationMethods } from './account/email-verification.ts';
import type { ProjectInvitationMethods } from './projects/project-invitations.ts';
import type { CliLoginMethods } from './sign-in/cli.ts';
import type { MagicLinkMethods } from './sign-in/magic-link.ts';
import type { OAuthMethods } from './sign-in/oauth/oauth.ts';
import type { PasskeyMethods } from './sign-in/passkey/passkey.ts';
import type { PasswordMethods } from './sign-in/password/password.ts';
import type { PasswordResetMethods } from './sign-in/password/password-reset.ts';
import type { MfaMethods, RecoveryCodeSignInMethods } from './sign-in/second-factor/mfa.ts';
import type { SignOutMethods } from './sign-in/sign-out.ts';
import type { TeamInvitationCodeMethods } from './teams/team-invitation-codes.ts';

/** Lazy methods of pages that most visits do not need: sign-up, sign-in and emailed codes. */
export interface AppFlows
  extends PasswordMethods,
    MagicLinkMethods,
    MfaMethods,
    RecoveryCodeSignInMethods,
    OAuthMethods,
    PasskeyMethods,
    CliLoginMethods,
    PasswordResetMethods,
    TeamInvitationCodeMethods,
    ProjectInvitationMethods,
    EmailVerificationMethods {}

const names: Record<keyof AppFlows, true> = {
  signInWithCredential: true,
  signUpWithCredential: true,
  claimInstallation: true,
  sendMagicLinkEmail: true,
  signInWithMagicLink: true,
  signInWithMfa: true,
  signInWithRecoveryCode: true,
  signInWithOAuth: true,
  callOAuthCallback: true,
  signInWithPasskey: true,
  promptCliLogin: true,
  sendForgotPasswordEmail: true,
  resetPassword: true,
  verifyPasswordResetCode: true,
  verifyTeamInvitationCode: true,
  readTeamInvitation: true,
  getTeamInvitationDetails: true,
  acceptTeamInvitation: true,
  getProjectInvitationDetails: true,
  acceptProjectInvitation: true,
  signUpWithProjectInvitation: true,
  verifyEmail: true,
  sendVerificationCode: true,
};

/**
 * The flows are one chunk, because only the pages for them need it. The sign-out is not in it: its chunk is loaded with the
 * user, so that users can leave a device that is offline.
 */
export function flows(ctx: Context<'client'>): { methods: AppFlows & SignOutMethods } {
  return {
    methods: {
      ...lazily(names, async () => (await import('./app-flows.ts')).appFlows(ctx)),
      ...lazily({ signOut: true }, async () => (await import('./sign-in/sign-out.ts')).signOutFlow(ctx)),
    },
  };
}
