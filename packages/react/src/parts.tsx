import type { AccountSettingsProps } from './components/account-settings/account-settings.tsx';
import type { AuthPageProps, SignInProps, SignUpProps } from './components/auth-page.tsx';
import type { CliAuthConfirmationProps } from './components/cli-auth-confirmation.tsx';
import type { CredentialSignUpProps } from './components/credential-sign-up.tsx';
import type { EmailVerificationProps } from './components/email-verification.tsx';
import type { ErrorPageProps } from './components/error-page.tsx';
import type { ForgotPasswordFormProps, ForgotPasswordProps } from './components/forgot-password.tsx';
import type { MagicLinkCallbackProps } from './components/magic-link-callback.tsx';
import type { MessageCardProps } from './components/message-card.tsx';
import type { MfaProps } from './components/mfa.tsx';
import type { OAuthButtonGroupProps, OAuthButtonProps } from './components/oauth-buttons.tsx';
import type { OAuthCallbackProps } from './components/oauth-callback.tsx';
import type { PasskeyButtonProps } from './components/passkey-button.tsx';
import type { PasswordResetProps } from './components/password-reset.tsx';
import type { SelectedTeamSwitcherProps } from './components/selected-team-switcher.tsx';
import type { SignOutProps } from './components/sign-out.tsx';
import type { TeamCreationProps } from './components/team-creation.tsx';
import type { TeamInvitationProps } from './components/team-invitation.tsx';
import type { UserAvatarProps } from './components/user-avatar.tsx';
import type { UserButtonProps } from './components/user-button.tsx';
import { lazyPart } from './lazy-part.tsx';

/** The sign-in page, with the ways to sign in that the project offers. */
export const SignIn = /* @__PURE__ */ lazyPart<SignInProps>(
  () => import('./components/auth-page.tsx').then(module => module.SignIn),
  emptyPage,
);

/** The sign-up page. */
export const SignUp = /* @__PURE__ */ lazyPart<SignUpProps>(
  () => import('./components/auth-page.tsx').then(module => module.SignUp),
  emptyPage,
);

/** The sign-in or sign-up page, by `type`. */
export const AuthPage = /* @__PURE__ */ lazyPart<AuthPageProps>(
  () => import('./components/auth-page.tsx').then(module => module.AuthPage),
  emptyPage,
);

/** The form for e-mail and password of an existing account. */
export const CredentialSignIn = /* @__PURE__ */ lazyPart<object>(
  () => import('./components/credential-sign-in.tsx').then(module => module.CredentialSignIn),
  emptyPart,
);

/** The form that opens an account with e-mail and password. */
export const CredentialSignUp = /* @__PURE__ */ lazyPart<CredentialSignUpProps>(
  () => import('./components/credential-sign-up.tsx').then(module => module.CredentialSignUp),
  emptyPart,
);

/** The form that signs in with a code or a link that is sent by e-mail. */
export const MagicLinkSignIn = /* @__PURE__ */ lazyPart<object>(
  () => import('./components/magic-link-sign-in.tsx').then(module => module.MagicLinkSignIn),
  emptyPart,
);

/** A button that signs in with a provider. */
export const OAuthButton = /* @__PURE__ */ lazyPart<OAuthButtonProps>(
  () => import('./components/oauth-buttons.tsx').then(module => module.OAuthButton),
  emptyPart,
);

/** A button for every provider of the project. */
export const OAuthButtonGroup = /* @__PURE__ */ lazyPart<OAuthButtonGroupProps>(
  () => import('./components/oauth-buttons.tsx').then(module => module.OAuthButtonGroup),
  emptyPart,
);

/** A button that signs in with a passkey. */
export const PasskeyButton = /* @__PURE__ */ lazyPart<PasskeyButtonProps>(
  () => import('./components/passkey-button.tsx').then(module => module.PasskeyButton),
  emptyPart,
);

/** The page that sends a link for choosing a new password. */
export const ForgotPassword = /* @__PURE__ */ lazyPart<ForgotPasswordProps>(
  () => import('./components/forgot-password.tsx').then(module => module.ForgotPassword),
  emptyPage,
);

/** The form of the forgot-password page alone. */
export const ForgotPasswordForm = /* @__PURE__ */ lazyPart<ForgotPasswordFormProps>(
  () => import('./components/forgot-password.tsx').then(module => module.ForgotPasswordForm),
  emptyPart,
);

/** The page that the link in a password e-mail leads to. */
export const PasswordReset = /* @__PURE__ */ lazyPart<PasswordResetProps>(
  () => import('./components/password-reset.tsx').then(module => module.PasswordReset),
  emptyPage,
);

/** The page that the link in a sign-in e-mail leads to. */
export const MagicLinkCallback = /* @__PURE__ */ lazyPart<MagicLinkCallbackProps>(
  () => import('./components/magic-link-callback.tsx').then(module => module.MagicLinkCallback),
  emptyPage,
);

/** The page that a provider leads back to. */
export const OAuthCallback = /* @__PURE__ */ lazyPart<OAuthCallbackProps>(
  () => import('./components/oauth-callback.tsx').then(module => module.OAuthCallback),
  emptyPage,
);

/** The page that asks for the code of an authenticator app. */
export const MFA = /* @__PURE__ */ lazyPart<MfaProps>(
  () => import('./components/mfa.tsx').then(module => module.MFA),
  emptyPage,
);

/** The page that the link in an invitation to a team leads to. */
export const TeamInvitation = /* @__PURE__ */ lazyPart<TeamInvitationProps>(
  () => import('./components/team-invitation.tsx').then(module => module.TeamInvitation),
  emptyPage,
);

/** The page on which somebody lets a command-line program act for them. */
export const CliAuthConfirmation = /* @__PURE__ */ lazyPart<CliAuthConfirmationProps>(
  () => import('./components/cli-auth-confirmation.tsx').then(module => module.CliAuthConfirmation),
  ({ fullPage = true }) => emptyPage({ fullPage }),
);

/** The page on which people look after their account, their sessions and their teams. */
export const AccountSettings = /* @__PURE__ */ lazyPart<AccountSettingsProps>(
  () => import('./components/account-settings/account-settings.tsx').then(module => module.AccountSettings),
  emptyPage,
);

/** A page of its own for creating a team. Leads to the new team's settings. */
export const TeamCreation = /* @__PURE__ */ lazyPart<TeamCreationProps>(
  () => import('./components/team-creation.tsx').then(module => module.TeamCreation),
  emptyPage,
);

/** A menu of the user's teams, one of which is selected. */
export const SelectedTeamSwitcher = /* @__PURE__ */ lazyPart<SelectedTeamSwitcherProps>(
  () => import('./components/selected-team-switcher.tsx').then(module => module.SelectedTeamSwitcher),
  () => <div className="tessera-root" style={{ height: 44 }} />,
);

/** The sign-out page: signs out, then leads to `afterSignOut`. */
export const SignOut = /* @__PURE__ */ lazyPart<SignOutProps>(
  () => import('./components/sign-out.tsx').then(module => module.SignOut),
  emptyPage,
);

/** The page that the link in a verification e-mail leads to. */
export const EmailVerification = /* @__PURE__ */ lazyPart<EmailVerificationProps>(
  () => import('./components/email-verification.tsx').then(module => module.EmailVerification),
  emptyPage,
);

/** The page for errors that arrive as a redirect. */
export const ErrorPage = /* @__PURE__ */ lazyPart<ErrorPageProps>(
  () => import('./components/error-page.tsx').then(module => module.ErrorPage),
  emptyPage,
);

/** A message that fills a page: a title, some words, and up to two ways on. */
export const MessageCard = /* @__PURE__ */ lazyPart<MessageCardProps>(
  () => import('./components/message-card.tsx').then(module => module.MessageCard),
  emptyPage,
);

/** A button that shows who is signed in, with a menu of what they may do. It never leads anywhere by itself. */
export const UserButton = /* @__PURE__ */ lazyPart<UserButtonProps>(
  () => import('./components/user-button.tsx').then(module => module.UserButton),
  () => <div className="tessera-root" style={{ width: 44, height: 44 }} />,
);

/** A user's picture, else the first two letters of their name or address. */
export const UserAvatar = /* @__PURE__ */ lazyPart<UserAvatarProps>(
  () => import('./components/user-avatar.tsx').then(module => module.UserAvatar),
  ({ size = 34 }) => <span className="tessera-root" style={{ display: 'inline-block', width: size, height: size }} />,
);

/** Paints the background, so that the page does not flash when it arrives. */
function emptyPage({ fullPage = false }: { fullPage?: boolean | undefined }) {
  return <div className={fullPage ? 'tessera-root tessera-page' : 'tessera-root'} />;
}

function emptyPart() {
  return <div className="tessera-root" />;
}
