/** React for Tessera: provider, hooks, the pages of the handler, and their components. */
export type { AppHooks, UseUser } from './app.ts';
export {
  AdminApp,
  AdminApp as StackAdminApp,
  ClientApp,
  ClientApp as StackClientApp,
  ServerApp,
  ServerApp as StackServerApp,
} from './apps.ts';
export type { AuthPageProps } from './components/auth-page.tsx';
export type { AuthConfig, AuthType } from './components/auth-state.ts';
export type { CredentialSignUpProps } from './components/credential-sign-up.tsx';
export type { EmailVerificationProps } from './components/email-verification.tsx';
export type { ErrorPageProps } from './components/error-page.tsx';
export type { MessageCardProps } from './components/message-card.tsx';
export type { SignInProps } from './components/sign-in.tsx';
export type { SignOutProps } from './components/sign-out.tsx';
export type { SignUpProps } from './components/sign-up.tsx';
export type { AvatarUser, UserAvatarProps } from './components/user-avatar.tsx';
export type { UserButtonItem, UserButtonProps } from './components/user-button.tsx';
export {
  type HandlerComponentProps,
  TesseraHandler,
  TesseraHandler as StackHandler,
  type TesseraHandlerProps,
} from './handler/handler.tsx';
export { useApp, useApp as useStackApp, useUser } from './hooks.ts';
export type { HooksOf } from './hooks-of.ts';
export {
  AuthPage,
  CredentialSignIn,
  CredentialSignUp,
  EmailVerification,
  ErrorPage,
  MessageCard,
  SignIn,
  SignOut,
  SignUp,
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
