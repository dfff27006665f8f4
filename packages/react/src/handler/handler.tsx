import type { ClientApp as CoreClientApp } from '@tessera/client';
import { type ReactNode, useContext, useEffect, useMemo } from 'react';
import { withHooks } from '../app/app-types.ts';
import { TesseraContext } from '../app/context.ts';
import type { AccountDeletionProps } from '../components/account-deletion/account-deletion.tsx';
import type { AccountSettingsProps } from '../components/account-settings/account-settings.tsx';
import type { SignInProps, SignUpProps } from '../components/auth-page/auth-page.tsx';
import type { ErrorPageProps } from '../components/cards/error-page.tsx';
import type { CliAuthConfirmationProps } from '../components/cli-login/cli-auth-confirmation.tsx';
import type { EmailVerificationProps } from '../components/codes/email-verification.tsx';
import type { MagicLinkCallbackProps } from '../components/codes/magic-link-callback.tsx';
import type { OAuthCallbackProps } from '../components/oauth/oauth-callback.tsx';
import type { ForgotPasswordProps } from '../components/password-reset/forgot-password.tsx';
import type { PasswordResetProps } from '../components/password-reset/password-reset.tsx';
import type { MfaProps } from '../components/second-factor/mfa.tsx';
import type { SignOutProps } from '../components/sign-out/sign-out.tsx';
import type { TeamInvitationProps } from '../components/teams/team-invitation.tsx';
import { TesseraErrorBoundary } from '../guards/error-boundary.tsx';
import { useApp } from '../hooks/hooks.ts';
import {
  AccountDeletion,
  AccountSettings,
  CliAuthConfirmation,
  EmailVerification,
  ErrorPage,
  FailurePage,
  ForgotPassword,
  MagicLinkCallback,
  MFA,
  OAuthCallback,
  PasswordReset,
  SignIn,
  SignOut,
  SignUp,
  TeamInvitation,
} from '../lazy/parts.tsx';
import { MisplacedCard, NotFoundCard } from './notices.tsx';
import { type HandlerPage, resolvePage } from './routes.ts';
import { usePlace } from './use-place.ts';

/** Props for the pages, by component name. Undefined members are ignored. */
export interface HandlerComponentProps {
  SignIn?: SignInProps | undefined;
  SignUp?: SignUpProps | undefined;
  SignOut?: SignOutProps | undefined;
  EmailVerification?: EmailVerificationProps | undefined;
  PasswordReset?: PasswordResetProps | undefined;
  ForgotPassword?: ForgotPasswordProps | undefined;
  OAuthCallback?: OAuthCallbackProps | undefined;
  MagicLinkCallback?: MagicLinkCallbackProps | undefined;
  TeamInvitation?: TeamInvitationProps | undefined;
  ErrorPage?: ErrorPageProps | undefined;
  AccountSettings?: AccountSettingsProps | undefined;
  AccountDeletion?: AccountDeletionProps | undefined;
  CliAuthConfirmation?: CliAuthConfirmationProps | undefined;
  MFA?: MfaProps | undefined;
}

/** Props of `TesseraHandler`. */
export interface TesseraHandlerProps {
  /** Default: the app of the provider. */
  app?: CoreClientApp<true> | undefined;
  /** Path of the page, with the base path of the handler, as your router reports it. Default: the window's. */
  location?: string | undefined;
  /** Replaces the current URL without a page load. Default: the page is loaded. */
  navigate?: ((to: string) => void) | undefined;
  /** Centres the pages in the window. Default: inline. */
  fullPage?: boolean | undefined;
  componentProps?: HandlerComponentProps | undefined;
}

/**
 * Shows the page for the current URL. Mount it under `urls.handler`, by default at `/handler/*`. An error of a page shows a
 * card that tries again, and reaches no boundary above.
 *
 * @example
 * <TesseraHandler fullPage />
 */
export function TesseraHandler({ app, ...props }: TesseraHandlerProps) {
  const content = <HandlerContent {...props} />;
  return app === undefined ? content : <AppSwitch app={app}>{content}</AppSwitch>;
}

function HandlerContent({ location, navigate, fullPage = false, componentProps = {} }: TesseraHandlerProps) {
  const { urls } = useApp();
  const place = usePlace(location);
  const resolution = resolvePage(place, urls);
  useReplacedAddress(resolution.kind === 'redirect' ? resolution.to : undefined, navigate);

  switch (resolution.kind) {
    case 'redirect':
      return null;
    case 'unknown':
      return <NotFoundCard fullPage={fullPage} />;
    case 'misplaced':
      return <MisplacedCard fullPage={fullPage} handler={resolution.handler} location={place.path} />;
    case 'page':
      return (
        // A boundary per page: going to another page leaves the error behind.
        <TesseraErrorBoundary
          key={resolution.page}
          fallback={failure => <FailurePage {...failure} fullPage={fullPage} />}
        >
          {pages[resolution.page]({ fullPage }, componentProps)}
        </TesseraErrorBoundary>
      );
  }
}

interface OwnProps {
  fullPage: boolean;
}

/** The page of every row of `handlerPages`. */
const pages: Record<HandlerPage, (own: OwnProps, given: HandlerComponentProps) => ReactNode> = {
  'sign-in': (own, given) => <SignIn {...own} automaticRedirect {...dropUndefined(given.SignIn)} />,
  'sign-up': (own, given) => <SignUp {...own} automaticRedirect {...dropUndefined(given.SignUp)} />,
  'sign-out': (own, given) => <SignOut {...own} {...dropUndefined(given.SignOut)} />,
  'email-verification': (own, given) => <EmailVerification {...own} {...dropUndefined(given.EmailVerification)} />,
  'forgot-password': (own, given) => <ForgotPassword {...own} {...dropUndefined(given.ForgotPassword)} />,
  'password-reset': (own, given) => <PasswordReset {...own} {...dropUndefined(given.PasswordReset)} />,
  'magic-link-callback': (own, given) => <MagicLinkCallback {...own} {...dropUndefined(given.MagicLinkCallback)} />,
  'oauth-callback': (own, given) => <OAuthCallback {...own} {...dropUndefined(given.OAuthCallback)} />,
  'team-invitation': (own, given) => <TeamInvitation {...own} {...dropUndefined(given.TeamInvitation)} />,
  mfa: (own, given) => <MFA {...own} {...dropUndefined(given.MFA)} />,
  'account-settings': (own, given) => <AccountSettings {...own} {...dropUndefined(given.AccountSettings)} />,
  'account-deletion': (own, given) => <AccountDeletion {...own} {...dropUndefined(given.AccountDeletion)} />,
  'cli-auth-confirm': (own, given) => <CliAuthConfirmation {...own} {...dropUndefined(given.CliAuthConfirmation)} />,
  error: (own, given) => <ErrorPage {...own} {...dropUndefined(given.ErrorPage)} />,
};

function dropUndefined<Props extends object>(props: Props | undefined): Partial<Props> {
  const entries = Object.entries(props ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Props>;
}

function useReplacedAddress(to: string | undefined, navigate: ((to: string) => void) | undefined): void {
  useEffect(() => {
    if (to === undefined) return;
    if (navigate === undefined) window.location.replace(to);
    else navigate(to);
  }, [to, navigate]);
}

/** Replaces the app of the provider. */
function AppSwitch({ app, children }: { app: CoreClientApp<true>; children: ReactNode }) {
  const outer = useContext(TesseraContext);
  const tessera = useMemo(() => ({ ...outer, app: withHooks(app) }), [app, outer]);
  return <TesseraContext.Provider value={tessera}>{children}</TesseraContext.Provider>;
}
