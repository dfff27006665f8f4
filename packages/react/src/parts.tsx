import type { AuthPageProps } from './components/auth-page.tsx';
import type { CredentialSignUpProps } from './components/credential-sign-up.tsx';
import type { EmailVerificationProps } from './components/email-verification.tsx';
import type { ErrorPageProps } from './components/error-page.tsx';
import type { MessageCardProps } from './components/message-card.tsx';
import type { SignInProps } from './components/sign-in.tsx';
import type { SignOutProps } from './components/sign-out.tsx';
import type { SignUpProps } from './components/sign-up.tsx';
import type { UserAvatarProps } from './components/user-avatar.tsx';
import type { UserButtonProps } from './components/user-button.tsx';
import { lazyPart } from './lazy-part.tsx';

/** The sign-in page, with the ways to sign in that the project offers. */
export const SignIn = /* @__PURE__ */ lazyPart<SignInProps>(
  () => import('./components/sign-in.tsx').then(module => module.SignIn),
  emptyPage,
);

/** The sign-up page. */
export const SignUp = /* @__PURE__ */ lazyPart<SignUpProps>(
  () => import('./components/sign-up.tsx').then(module => module.SignUp),
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
