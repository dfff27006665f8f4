/** React for Tessera: provider, hooks, handler pages, and their components. */
export { internals as stackAppInternalsSymbol } from '@tessera/client';
export type { AdminAppHooks, AppHooks, ServerAppHooks, UseServerUser, UseUser } from './app/app-types.ts';
export { AdminApp, ClientApp, ServerApp } from './app/apps.ts';
export { TesseraProvider, TesseraProvider as StackProvider, type TesseraProviderProps } from './app/provider.tsx';
export type * from './app/sdk-types.ts';
export { StackAdminApp, StackClientApp, StackServerApp } from './app/stack-apps.ts';
export {
  TesseraTheme,
  TesseraTheme as StackTheme,
  type TesseraThemeColors,
  type TesseraThemeProps,
} from './app/theme.tsx';
export type { AccountDeletionProps } from './components/account-deletion/account-deletion.tsx';
export type { AccountSettingsProps } from './components/account-settings/account-settings.tsx';
export type { DemoApiKey, DemoProps, DemoSession } from './components/account-settings/demo.ts';
export type { ExtraItem } from './components/account-settings/items.ts';
export type { AuthPageProps, SignInProps, SignUpProps } from './components/auth-page/auth-page.tsx';
export type { CredentialSignUpProps } from './components/auth-page/credential-sign-up.tsx';
export type { MockProject } from './components/auth-page/mock-project.ts';
export type { ErrorPageProps } from './components/cards/error-page.tsx';
export type { MessageCardProps } from './components/cards/message-card.tsx';
export type { CliAuthConfirmationProps } from './components/cli-login/cli-auth-confirmation.tsx';
export type { CodePageProps } from './components/codes/code-link.tsx';
export type { EmailVerificationProps } from './components/codes/email-verification.tsx';
export type { MagicLinkCallbackProps } from './components/codes/magic-link-callback.tsx';
export type { OAuthButtonGroupProps, OAuthButtonProps } from './components/oauth/oauth-buttons.tsx';
export type { OAuthCallbackProps } from './components/oauth/oauth-callback.tsx';
export type { PasskeyButtonProps } from './components/passkey/passkey-button.tsx';
export type { ForgotPasswordProps } from './components/password-reset/forgot-password.tsx';
export type { PasswordResetProps } from './components/password-reset/password-reset.tsx';
export { Reauthentication } from './components/reauthentication/reauthentication.tsx';
export type { MfaProps } from './components/second-factor/mfa.tsx';
export type { SignOutProps } from './components/sign-out/sign-out.tsx';
export type { SelectedTeamSwitcherProps, SwitcherTeam } from './components/teams/selected-team-switcher.tsx';
export type { TeamCreationProps } from './components/teams/team-creation.tsx';
export type { TeamInvitationProps } from './components/teams/team-invitation.tsx';
export type { AvatarUser, UserAvatarProps } from './components/user-button/user-avatar.tsx';
export type { UserButtonItem, UserButtonProps } from './components/user-button/user-button.tsx';
export { type ActionGuard, useActionGuard } from './form/action-guard.ts';
export { TesseraBoundary, type TesseraBoundaryProps } from './guards/boundary.tsx';
export {
  TesseraErrorBoundary,
  type TesseraErrorBoundaryProps,
} from './guards/error-boundary.tsx';
export type { ErrorFallbackProps } from './guards/error-fallback.ts';
export { Protect, type ProtectProps, SignedIn, type SignedInProps, SignedOut } from './guards/guards.tsx';
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
  FoundUser,
  OAuthConnection,
  ServerTeam,
  ServerTeamUser,
  ServerUser,
  Team,
} from './hooks/hooked-types.ts';
export { useApp, useApp as useStackApp, useUser } from './hooks/hooks.ts';
export type { HooksOf } from './hooks/hooks-of.ts';
export { refetch } from './hooks/reader.ts';
export { type SessionState, useSession } from './hooks/session-hook.ts';
export {
  AccountDeletion,
  AccountSettings,
  AuthPage,
  CliAuthConfirmation,
  CredentialSignIn,
  CredentialSignUp,
  EmailVerification,
  ErrorPage,
  ForgotPassword,
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
} from './lazy/parts.tsx';

export type { AuthConfig, AuthTab, AuthType } from './sign-in/auth-state.ts';
export type { Credentials } from './sign-in/calls.ts';
export type {
  PendingSignIn,
  SentEmail,
  SignInAction,
  SignInField,
  SignInProblem,
  SignInStep,
} from './sign-in/machine.ts';
export {
  type SignInHook,
  type SignInMethods,
  type SignInOptions,
  type SignInState,
  type SignUpHook,
  useSignIn,
  useSignUp,
} from './sign-in/use-sign-in.ts';
export { useErrorText } from './words/error-text.ts';
