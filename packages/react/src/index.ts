/** React for Tessera: provider, hooks, the pages of the handler, and their components. */
export type { AdminAppHooks, AppHooks, ServerAppHooks, UseServerUser, UseUser } from './app.ts';
export {
  AdminApp,
  AdminApp as StackAdminApp,
  ClientApp,
  ClientApp as StackClientApp,
  ServerApp,
  ServerApp as StackServerApp,
} from './apps.ts';
export type { AccountSettingsProps, ExtraItem } from './components/account-settings/account-settings.tsx';
export type { DemoApiKey, DemoProps, DemoSession } from './components/account-settings/demo.ts';
export type { AuthPageProps, MockProject, SignInProps, SignUpProps } from './components/auth-page.tsx';
export type { AuthConfig, AuthTab, AuthType } from './components/auth-state.ts';
export type { CliAuthConfirmationProps } from './components/cli-auth-confirmation.tsx';
export type { CodePageProps } from './components/code-link.tsx';
export type { CredentialSignUpProps } from './components/credential-sign-up.tsx';
export type { EmailVerificationProps } from './components/email-verification.tsx';
export type { ErrorPageProps } from './components/error-page.tsx';
export type { ForgotPasswordFormProps, ForgotPasswordProps } from './components/forgot-password.tsx';
export type { MagicLinkCallbackProps } from './components/magic-link-callback.tsx';
export type { MessageCardProps } from './components/message-card.tsx';
export type { MfaProps } from './components/mfa.tsx';
export type { OAuthButtonGroupProps, OAuthButtonProps } from './components/oauth-buttons.tsx';
export type { OAuthCallbackProps } from './components/oauth-callback.tsx';
export type { PasskeyButtonProps } from './components/passkey-button.tsx';
export type { PasswordResetProps } from './components/password-reset.tsx';
export type { SelectedTeamSwitcherProps, SwitcherTeam } from './components/selected-team-switcher.tsx';
export type { SignOutProps } from './components/sign-out.tsx';
export type { TeamCreationProps } from './components/team-creation.tsx';
export type { TeamInvitationProps } from './components/team-invitation.tsx';
export type { AvatarUser, UserAvatarProps } from './components/user-avatar.tsx';
export type { UserButtonItem, UserButtonProps } from './components/user-button.tsx';
export {
  type HandlerComponentProps,
  TesseraHandler,
  TesseraHandler as StackHandler,
  type TesseraHandlerProps,
} from './handler/handler.tsx';
export type {
  AdminOwnedProject,
  AdminProject,
  CurrentServerUser,
  CurrentUser,
  OAuthConnection,
  ServerTeam,
  ServerTeamUser,
  ServerUser,
  Team,
} from './hooked.ts';
export { useApp, useApp as useStackApp, useUser } from './hooks.ts';
export type { HooksOf } from './hooks-of.ts';
export {
  AccountSettings,
  AuthPage,
  CliAuthConfirmation,
  CredentialSignIn,
  CredentialSignUp,
  EmailVerification,
  ErrorPage,
  ForgotPassword,
  ForgotPasswordForm,
  MagicLinkCallback,
  MagicLinkSignIn,
  MessageCard,
  MFA,
  OAuthButton,
  OAuthButtonGroup,
  OAuthCallback,
  PasskeyButton,
  PasswordReset,
  SelectedTeamSwitcher,
  SignIn,
  SignOut,
  SignUp,
  TeamCreation,
  TeamInvitation,
  UserAvatar,
  UserButton,
} from './parts.tsx';
export { TesseraProvider, TesseraProvider as StackProvider, type TesseraProviderProps } from './provider.tsx';
export {
  TesseraTheme,
  TesseraTheme as StackTheme,
  type TesseraThemeColors,
  type TesseraThemeProps,
} from './theme.tsx';
