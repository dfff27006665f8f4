import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle, FormSummary } from '@tessera/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useProjectState, useUserState } from '../../hooks/read-state.ts';
import { useTranslate } from '../../words/translate.tsx';
import { PageLink } from '../cards/page-link.tsx';
import { FailedCard, SignedInCard, SignUpDisabledCard } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { AuthMethods } from './auth-methods.tsx';
import { AuthSkeleton } from './auth-skeleton.tsx';
import { type AuthConfig, type AuthState, type AuthTab, type AuthType, authOffer, authState } from './auth-state.ts';

/** For demonstrations: replaces the project. */
export interface MockProject {
  readonly displayName?: string;
  readonly config: AuthConfig;
}

/** Props of `AuthPage`, and of `SignIn` and `SignUp`. */
export interface AuthPageProps {
  type: AuthType;
  /** Centres the page in the window. Default: inline, without padding. */
  fullPage?: boolean | undefined;
  /** Redirects signed-in visitors to `afterSignIn` or `afterSignUp`. Default: they see a card. */
  automaticRedirect?: boolean | undefined;
  /** Shown below the form in small print, such as a link to your terms. */
  extraInfo?: ReactNode;
  /** The form that is shown first when there are two. Default: the last used one in this browser, else `magic-link`. */
  firstTab?: AuthTab | undefined;
  /** Omits the second password field of sign-up. */
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

function AuthContent({ type, mockProject, automaticRedirect = false, ...props }: AuthPageProps) {
  const { extraInfo, firstTab, noPasswordRepeat } = props;
  const user = useUserState();
  const project = useProjectState();
  const { displayName, config } = mockProject ?? project.value ?? {};
  const [isSubmitting, setSubmitting] = useState(false);
  const [wasSentOn, setSentOn] = useState(false);

  const state = authState({
    type,
    config,
    isSignedIn: mockProject ? false : user.value === undefined ? undefined : user.value !== null,
    hasFailed: project.error !== undefined || user.error !== undefined,
    isSubmitting,
    sendsOn: automaticRedirect && !wasSentOn,
  });
  useRedirectAway(type, state, setSentOn);

  if (state === 'failed') {
    const retry = async () => void (await Promise.all([project.retry(), user.retry()]));
    return <FailedCard error={project.error ?? user.error} retry={retry} />;
  }
  if (state === 'signed-in') return <SignedInCard />;
  if (state === 'sign-up-disabled') return <SignUpDisabledCard />;
  if (state === 'loading' || state === 'leaving' || config === undefined) {
    return <AuthSkeleton type={type} noPasswordRepeat={noPasswordRepeat} />;
  }

  return (
    <Card>
      <AuthHeading type={type} projectName={displayName} hasSignUp={config.signUpEnabled} />
      <CardContent>
        {state === 'no-method' ? (
          <NoMethodNotice />
        ) : (
          <AuthMethods
            type={type}
            offer={authOffer(type, config, firstTab)}
            firstTab={firstTab}
            noPasswordRepeat={noPasswordRepeat}
            isMock={mockProject !== undefined}
            onSubmitting={setSubmitting}
          />
        )}
      </CardContent>
      {extraInfo && <CardFooter>{extraInfo}</CardFooter>}
    </Card>
  );
}

/** Redirects a visitor who arrived signed in, and reports when the visitor is still here afterwards. */
function useRedirectAway(type: AuthType, state: AuthState, setSentOn: (wasSentOn: boolean) => void): void {
  const app = useApp();
  const hasStarted = useRef(false);

  useEffect(() => {
    if (state !== 'leaving' || hasStarted.current) return;
    hasStarted.current = true;
    const redirect = type === 'sign-in' ? app.redirectToAfterSignIn : app.redirectToAfterSignUp;
    const tell = () => setSentOn(true);
    redirect({ replace: true }).then(tell, tell);
  }, [app, type, state, setSentOn]);
}

function AuthHeading({ type, projectName, hasSignUp }: HeadingProps) {
  const translate = useTranslate();
  const isSignIn = type === 'sign-in';

  return (
    <CardHeader>
      {projectName && <p className="tss:truncate tss:text-sm tss:text-muted-foreground">{projectName}</p>}
      <CardTitle>{translate(isSignIn ? 'signIn.title' : 'signUp.title')}</CardTitle>
      {isSignIn && hasSignUp && (
        <CardDescription>
          {translate('signIn.question')} <PageLink to="signUp">{translate('signIn.toSignUp')}</PageLink>
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

interface HeadingProps {
  type: AuthType;
  projectName: string | undefined;
  hasSignUp: boolean;
}

function NoMethodNotice() {
  const translate = useTranslate();
  return <FormSummary title={translate('auth.noMethod')} />;
}
