import { RequestError } from '@tessera/client';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle, FormSummary } from '@tessera/ui';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useProjectState, useUserState } from '../../hooks/read-state.ts';
import { useOnce } from '../../hooks/use-once.ts';
import {
  type AuthConfig,
  type AuthState,
  type AuthTab,
  type AuthType,
  authOffer,
  authState,
  isEmpty,
} from '../../sign-in/auth-state.ts';
import { isOpen } from '../../sign-in/machine.ts';
import { type SignInFlow, usePageFlow } from '../../sign-in/use-sign-in-flow.ts';
import { useTranslate } from '../../words/translate.tsx';
import { PageLink } from '../cards/page-link.tsx';
import { FailedCard, SignedInCard, SignUpDisabledCard } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { useOverdue } from '../cards/use-overdue.ts';
import { SignInCode } from '../codes/magic-link-sign-in.tsx';
import { VerificationCode } from '../codes/verification-code.tsx';
import { usePasskeyOffer } from '../passkey/use-passkey-offer.tsx';
import { AuthMethods } from './auth-methods.tsx';
import { AuthSkeleton } from './auth-skeleton.tsx';
import type { MockProject } from './mock-project.ts';
import { useRememberedShape } from './offer-shape.ts';

/** Props of `AuthPage`, and of `SignIn` and `SignUp`. */
export interface AuthPageProps {
  type: AuthType;
  /** Centres the page in the window. Default: inline, without padding. */
  fullPage?: boolean | undefined;
  /** Redirects signed-in visitors to `afterSignIn` or `afterSignUp`. Default: they see a card. */
  automaticRedirect?: boolean | undefined;
  /** Shown above the heading: an `<img>` or `<svg>` of up to 40 pixels' height. Default: the project's logo, or its name. */
  logo?: ReactNode;
  /** Shown below the form in small print, such as a link to your terms. */
  extraInfo?: ReactNode;
  /** The form that is shown first when there are two. Default: the last used one in this browser, else `magic-link`. */
  firstTab?: AuthTab | undefined;
  /** Whether sign-up has one password field only. Default: true, because the password can be shown. */
  noPasswordRepeat?: boolean | undefined;
  /** For demonstrations: replaces the project, and the user is ignored. */
  mockProject?: MockProject | undefined;
}

/** Props of `SignIn`. */
export type SignInProps = Omit<AuthPageProps, 'type' | 'noPasswordRepeat'>;

/** The sign-in page. */
export function SignIn(props: SignInProps) {
  return <AuthPage type="sign-in" {...props} />;
}

/** Props of `SignUp`. */
export type SignUpProps = Omit<AuthPageProps, 'type' | 'mockProject'>;

/** The sign-up page. */
export function SignUp(props: SignUpProps) {
  return <AuthPage type="sign-up" {...props} />;
}

/** The sign-in or sign-up page, with the sign-in methods of the project. */
export function AuthPage({ fullPage, ...props }: AuthPageProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <AuthContent {...props} />
    </PageSurface>
  );
}

/** When the page says that the server is slow, and when it shows a failure. */
const longAfterMs = 4000;
const overAfterMs = 10_000;

function AuthContent({ type, mockProject, automaticRedirect = false, ...props }: Omit<AuthPageProps, 'fullPage'>) {
  const user = useUserState();
  const project = useProjectState();
  const { displayName, logoUrl, config }: Partial<MockProject> = mockProject ?? project.value ?? {};
  const isSignedIn = mockProject ? false : user.value === undefined ? undefined : user.value !== null;
  const [attempt, setAttempt] = useState(0);
  const isWaiting = config === undefined || isSignedIn === undefined;
  const isLong = useOverdue(isWaiting, longAfterMs, attempt);
  const isOver = useOverdue(isWaiting, overAfterMs, attempt);
  const passkey = usePasskeyOffer(mockProject === undefined && config?.passkeyEnabled === true);
  const flow = usePageFlow({ aroundPassword: passkey.signInWithOffer, afterVerification: passkey.offerPasskey });
  const [wasSentOn, setSentOn] = useState(false);

  const state = authState({
    type,
    config,
    isSignedIn,
    hasFailed: isOver || project.error !== undefined || user.error !== undefined,
    isSubmitting: isOpen(flow.step),
    sendsOn: automaticRedirect && !wasSentOn,
  });
  useRedirectAway(type, state, flow, () => setSentOn(true));

  async function retry() {
    setAttempt(attempt + 1);
    await Promise.all([project.retry(), user.retry()]);
  }

  if (state === 'failed') return <FailedCard error={project.error ?? user.error ?? noResponse} retry={retry} />;
  if (state === 'signed-in') return <SignedInCard />;
  if (state === 'sign-up-disabled') return <SignUpDisabledCard />;
  if (state === 'loading' || state === 'leaving' || config === undefined) {
    return <AuthSkeleton type={type} retry={isLong ? retry : undefined} />;
  }
  return (
    <AuthCard
      {...props}
      logo={props.logo ?? (logoUrl && <ProjectLogo url={logoUrl} name={displayName} />)}
      type={type}
      projectName={displayName}
      config={config}
      isMock={mockProject !== undefined}
      flow={flow}
      interlude={passkey.offer}
    />
  );
}

/** Shown when a request has ended without a response and without an error. */
const noResponse = new RequestError('unreachable', 'The server did not answer.');

interface AuthCardProps extends Pick<AuthPageProps, 'type' | 'logo' | 'extraInfo' | 'firstTab' | 'noPasswordRepeat'> {
  projectName: string | undefined;
  config: AuthConfig;
  isMock: boolean;
  flow: SignInFlow;
  /** Shown in the place of the form after a sign-in or a verified sign-up, before the page is left. */
  interlude: ReactNode;
}

function AuthCard({ type, logo, projectName, config, extraInfo, interlude, ...methods }: AuthCardProps) {
  const { flow } = methods;
  const [leftCode, setLeftCode] = useState(false);
  const offer = authOffer(type, config, methods.firstTab);
  useRememberedShape(type, offer);

  function leaveCode() {
    setLeftCode(true);
    flow.startOver();
  }

  if (interlude) return interlude;
  if (flow.step.step === 'verification') return <VerificationCode sent={flow.step} flow={flow} />;
  if (flow.step.step === 'code' && offer.tabs.includes('magic-link')) {
    return <SignInCode sent={flow.step} flow={flow} change={leaveCode} />;
  }
  return (
    <Card>
      <AuthHeading type={type} logo={logo} projectName={projectName} hasSignUp={config.signUpEnabled} />
      <CardContent>
        {isEmpty(offer) ? (
          <NoMethodNotice />
        ) : (
          <AuthMethods {...methods} type={type} offer={offer} leftCode={leftCode} />
        )}
      </CardContent>
      {extraInfo && <CardFooter>{extraInfo}</CardFooter>}
    </Card>
  );
}

/**
 * Redirects a visitor who arrived signed in, and reports when the visitor is still here afterwards. An emailed code that this
 * tab waited for is forgotten: the next sign-in starts over.
 */
function useRedirectAway(type: AuthType, state: AuthState, { startOver }: SignInFlow, report: () => void): void {
  const app = useApp();

  useOnce(state === 'leaving', () => {
    startOver();
    const redirect = type === 'sign-in' ? app.redirectToAfterSignIn : app.redirectToAfterSignUp;
    redirect({ replace: true }).then(report, report);
  });
}

function AuthHeading({ type, logo, projectName, hasSignUp }: HeadingProps) {
  const translate = useTranslate();
  const isSignIn = type === 'sign-in';

  return (
    <CardHeader>
      {logo && <div className="tessera-logo tss:flex tss:h-10 tss:items-center">{logo}</div>}
      {!logo && projectName && <p className="tss:truncate tss:text-sm tss:text-muted-foreground">{projectName}</p>}
      <CardTitle>{translate(isSignIn ? 'action.signIn' : 'signUp.title')}</CardTitle>
      {isSignIn && hasSignUp && (
        <CardDescription>
          {translate('signIn.question')} <PageLink to="signUp">{translate('action.signUp')}</PageLink>
        </CardDescription>
      )}
      {!isSignIn && (
        <CardDescription>
          {translate('signUp.question')} <PageLink to="signIn">{translate('signUp.toSignIn')}</PageLink>
        </CardDescription>
      )}
    </CardHeader>
  );
}

/** The request for the logo has no referrer, so that its host does not learn who visits. */
function ProjectLogo({ url, name = '' }: { url: string; name: string | undefined }) {
  return (
    // biome-ignore lint/performance/noImgElement: the rule asks for the image component of Next.js, and this page also runs without Next.js
    <img src={url} alt={name} referrerPolicy="no-referrer" className="tss:h-10 tss:max-w-full tss:object-contain" />
  );
}

interface HeadingProps {
  type: AuthType;
  logo: ReactNode;
  projectName: string | undefined;
  hasSignUp: boolean;
}

function NoMethodNotice() {
  const translate = useTranslate();
  return <FormSummary title={translate('auth.noMethod')} />;
}
