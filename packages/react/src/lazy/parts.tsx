import type { TeamInvitation as OpenInvitation } from '@tessera/client';
import type { AccountDeletionProps } from '../components/account-deletion/account-deletion.tsx';
import type { AccountSettingsProps } from '../components/account-settings/account-settings.tsx';
import type { AuthPageProps, SignInProps, SignUpProps } from '../components/auth-page/auth-page.tsx';
import type { CredentialSignUpProps } from '../components/auth-page/credential-sign-up.tsx';
import type { ErrorPageProps } from '../components/cards/error-page.tsx';
import { FailurePage as FailureCard, type FailurePageProps } from '../components/cards/failure-page.tsx';
import { type LoadingPageProps, LoadingPage as Waiting } from '../components/cards/loading-page.tsx';
import type { MessageCardProps } from '../components/cards/message-card.tsx';
import type { CliAuthConfirmationProps } from '../components/cli-login/cli-auth-confirmation.tsx';
import type { EmailVerificationProps } from '../components/codes/email-verification.tsx';
import type { MagicLinkCallbackProps } from '../components/codes/magic-link-callback.tsx';
import type { OAuthButtonGroupProps, OAuthButtonProps } from '../components/oauth/oauth-buttons.tsx';
import type { OAuthCallbackProps } from '../components/oauth/oauth-callback.tsx';
import type { PasskeyButtonProps } from '../components/passkey/passkey-button.tsx';
import type { ForgotPasswordProps } from '../components/password-reset/forgot-password.tsx';
import type { PasswordResetProps } from '../components/password-reset/password-reset.tsx';
import type { MfaProps } from '../components/second-factor/mfa.tsx';
import type { SignOutProps } from '../components/sign-out/sign-out.tsx';
import type {
  SelectedTeamSwitcherComponent,
  SelectedTeamSwitcherProps,
} from '../components/teams/selected-team-switcher.tsx';
import type { TeamCreationProps } from '../components/teams/team-creation.tsx';
import type { TeamInvitationProps } from '../components/teams/team-invitation.tsx';
import type { UserAvatarProps } from '../components/user-button/user-avatar.tsx';
import type { UserButtonProps } from '../components/user-button/user-button.tsx';
import { lazyPart } from './lazy-part.tsx';

/**
 * The sign-in page, with the sign-in methods of the project.
 *
 * @example
 * <SignIn fullPage automaticRedirect />
 */
export const SignIn = /* @__PURE__ */ lazyPart<SignInProps>(
  () => import('../components/auth-page/auth-page.tsx').then(module => module.SignIn),
  emptyPage,
);

/**
 * The sign-up page.
 *
 * @example
 * <SignUp fullPage automaticRedirect />
 */
export const SignUp = /* @__PURE__ */ lazyPart<SignUpProps>(
  () => import('../components/auth-page/auth-page.tsx').then(module => module.SignUp),
  emptyPage,
);

/**
 * The sign-in or sign-up page, by `type`.
 *
 * @example
 * <AuthPage type="sign-in" fullPage />
 */
export const AuthPage = /* @__PURE__ */ lazyPart<AuthPageProps>(
  () => import('../components/auth-page/auth-page.tsx').then(module => module.AuthPage),
  emptyPage,
);

/**
 * The form for the email address and password of an existing account.
 *
 * @example
 * <CredentialSignIn />
 */
export const CredentialSignIn = /* @__PURE__ */ lazyPart<object>(
  () => import('../components/auth-page/credential-sign-in.tsx').then(module => module.CredentialSignIn),
  emptyPart,
);

/**
 * The form that creates an account with email address and password.
 *
 * @example
 * <CredentialSignUp noPasswordRepeat={false} />
 */
export const CredentialSignUp = /* @__PURE__ */ lazyPart<CredentialSignUpProps>(
  () => import('../components/auth-page/credential-sign-up.tsx').then(module => module.CredentialSignUp),
  emptyPart,
);

/**
 * The form that signs in with an emailed code or link.
 *
 * @example
 * <MagicLinkSignIn />
 */
export const MagicLinkSignIn = /* @__PURE__ */ lazyPart<object>(
  () => import('../components/codes/magic-link-sign-in.tsx').then(module => module.MagicLinkSignIn),
  emptyPart,
);

/**
 * A button that signs in with a provider.
 *
 * @example
 * <OAuthButton provider="github" type="sign-in" />
 */
export const OAuthButton = /* @__PURE__ */ lazyPart<OAuthButtonProps>(
  () => import('../components/oauth/oauth-buttons.tsx').then(module => module.OAuthButton),
  emptyPart,
);

/**
 * A button for every provider of the project.
 *
 * @example
 * <OAuthButtonGroup type="sign-in" />
 */
export const OAuthButtonGroup = /* @__PURE__ */ lazyPart<OAuthButtonGroupProps>(
  () => import('../components/oauth/oauth-buttons.tsx').then(module => module.OAuthButtonGroup),
  emptyPart,
);

/**
 * A button that signs in with a passkey.
 *
 * @example
 * <PasskeyButton />
 */
export const PasskeyButton = /* @__PURE__ */ lazyPart<PasskeyButtonProps>(
  () => import('../components/passkey/passkey-button.tsx').then(module => module.PasskeyButton),
  emptyPart,
);

/**
 * The page that sends a link to set a new password.
 *
 * @example
 * <ForgotPassword fullPage />
 */
export const ForgotPassword = /* @__PURE__ */ lazyPart<ForgotPasswordProps>(
  () => import('./visit-pages.ts').then(module => module.ForgotPassword),
  emptyPage,
);

/**
 * The page of the link in a password reset email.
 *
 * @example
 * <PasswordReset fullPage />
 */
export const PasswordReset = /* @__PURE__ */ lazyPart<PasswordResetProps>(
  () => import('./visit-pages.ts').then(module => module.PasswordReset),
  emptyPage,
);

/**
 * The page of the link in a sign-in email.
 *
 * @example
 * <MagicLinkCallback fullPage />
 */
export const MagicLinkCallback = /* @__PURE__ */ lazyPart<MagicLinkCallbackProps>(
  () => import('./visit-pages.ts').then(module => module.MagicLinkCallback),
  emptyPage,
);

/**
 * The page that a provider redirects to.
 *
 * @example
 * <OAuthCallback fullPage />
 */
export const OAuthCallback = /* @__PURE__ */ lazyPart<OAuthCallbackProps>(
  () => import('./visit-pages.ts').then(module => module.OAuthCallback),
  emptyPage,
);

/**
 * The page that asks for the code of an authenticator app.
 *
 * @example
 * <MFA fullPage />
 */
export const MFA = /* @__PURE__ */ lazyPart<MfaProps>(
  () => import('./visit-pages.ts').then(module => module.MFA),
  emptyPage,
);

/**
 * The page of the link in a team invitation.
 *
 * @example
 * <TeamInvitation fullPage />
 */
export const TeamInvitation = /* @__PURE__ */ lazyPart<TeamInvitationProps>(
  () => import('./visit-pages.ts').then(module => module.TeamInvitation),
  emptyPage,
);

/** An invitation to a team, as the SDK names it. */
export type TeamInvitation = OpenInvitation;

/**
 * The page on which a user authorises a command-line sign-in.
 *
 * @example
 * <CliAuthConfirmation fullPage />
 */
export const CliAuthConfirmation = /* @__PURE__ */ lazyPart<CliAuthConfirmationProps>(
  () => import('./visit-pages.ts').then(module => module.CliAuthConfirmation),
  ({ fullPage = true }) => emptyPage({ fullPage }),
);

/**
 * The page on which users manage their account, sessions and teams.
 *
 * @example
 * <AccountSettings fullPage />
 */
export const AccountSettings = /* @__PURE__ */ lazyPart<AccountSettingsProps>(
  () => import('../components/account-settings/account-settings.tsx').then(module => module.AccountSettings),
  emptyPage,
);

/**
 * The page on which a user learns when the account will be deleted, and keeps it.
 *
 * @example
 * <AccountDeletion fullPage />
 */
export const AccountDeletion = /* @__PURE__ */ lazyPart<AccountDeletionProps>(
  () => import('./visit-pages.ts').then(module => module.AccountDeletion),
  emptyPage,
);

/**
 * The page that creates a team. It leads to the settings of the new team.
 *
 * @example
 * <TeamCreation fullPage />
 */
export const TeamCreation = /* @__PURE__ */ lazyPart<TeamCreationProps>(
  () => import('../components/teams/team-creation.tsx').then(module => module.TeamCreation),
  emptyPage,
);

/**
 * A menu of the user's teams, one of which is selected.
 *
 * @example
 * <SelectedTeamSwitcher />
 */
export const SelectedTeamSwitcher: SelectedTeamSwitcherComponent = /* @__PURE__ */ lazyPart<SelectedTeamSwitcherProps>(
  () => import('../components/teams/selected-team-switcher.tsx').then(module => module.SelectedTeamSwitcher),
  () => <div className="tessera-root" style={{ height: 44 }} />,
);

/**
 * The sign-out page: signs out, then redirects to `afterSignOut`.
 *
 * @example
 * <SignOut fullPage />
 */
export const SignOut = /* @__PURE__ */ lazyPart<SignOutProps>(
  () => import('./visit-pages.ts').then(module => module.SignOut),
  emptyPage,
);

/**
 * The page of the link in a verification email.
 *
 * @example
 * <EmailVerification fullPage />
 */
export const EmailVerification = /* @__PURE__ */ lazyPart<EmailVerificationProps>(
  () => import('./visit-pages.ts').then(module => module.EmailVerification),
  emptyPage,
);

/**
 * The page for errors that arrive as a redirect.
 *
 * @example
 * <ErrorPage fullPage />
 */
export const ErrorPage = /* @__PURE__ */ lazyPart<ErrorPageProps>(
  () => import('./visit-pages.ts').then(module => module.ErrorPage),
  emptyPage,
);

/**
 * A message that fills a page: title, text, and up to two actions.
 *
 * @example
 * <MessageCard title="Thank you" />
 */
export const MessageCard = /* @__PURE__ */ lazyPart<MessageCardProps>(
  () => import('./visit-pages.ts').then(module => module.MessageCard),
  emptyPage,
);

/**
 * The default fallback of `TesseraErrorBoundary`. Not in a chunk of its own: the connection that fails is often the one that
 * the chunk would come through.
 */
export const FailurePage = /* @__PURE__ */ lazyPart<FailurePageProps>(async () => FailureCard, emptyPart);

/** The default loading state of `TesseraBoundary`. Not in a chunk of its own for the same reason. */
export const LoadingPage = /* @__PURE__ */ lazyPart<LoadingPageProps>(async () => Waiting, emptyPage);

/**
 * A button that shows the signed-in user, with a menu of actions. It never redirects by itself.
 *
 * @example
 * <UserButton />
 */
export const UserButton = /* @__PURE__ */ lazyPart<UserButtonProps>(
  () => import('../components/user-button/user-button.tsx').then(module => module.UserButton),
  () => <div className="tessera-root" style={{ width: 44, height: 44 }} />,
);

/**
 * The image of a user, or the first two letters of their name or address.
 *
 * @example
 * <UserAvatar size={32} />
 */
export const UserAvatar = /* @__PURE__ */ lazyPart<UserAvatarProps>(
  () => import('../components/user-button/user-avatar.tsx').then(module => module.UserAvatar),
  ({ size = 34 }) => <span className="tessera-root" style={{ display: 'inline-block', width: size, height: size }} />,
);

/** Paints the background, so that the page does not flash when it loads. */
function emptyPage({ fullPage = false }: { fullPage?: boolean | undefined }) {
  return <div className={fullPage ? 'tessera-root tessera-page' : 'tessera-root'} />;
}

function emptyPart() {
  return <div className="tessera-root" />;
}
