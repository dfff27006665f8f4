import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle, FormSummary } from '@tessera/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApp } from '../hooks.ts';
import { useProjectReading, useUserReading } from '../readings.ts';
import { useSay } from '../words/say.tsx';
import { AuthSkeleton } from './auth-skeleton.tsx';
import { type AuthConfig, type AuthState, type AuthType, authState } from './auth-state.ts';
import { CredentialSignInForm } from './credential-sign-in.tsx';
import { CredentialSignUpForm } from './credential-sign-up.tsx';
import { FailedCard, SignedInCard, SignUpDisabledCard } from './predefined-cards.tsx';
import { PageSurface } from './surface.tsx';
import { SwitchLink } from './switch-link.tsx';

/** Props of `AuthPage`, and of `SignIn` and `SignUp`. */
export interface AuthPageProps {
  type: AuthType;
  /** Centres the page in the window. Default: it stands inline, without padding. */
  fullPage?: boolean | undefined;
  /** Sends those who are signed in to `afterSignIn` or `afterSignUp`. Default: they see a card that says so. */
  automaticRedirect?: boolean | undefined;
  /** Stands below the form in small letters, such as a link to your terms. */
  extraInfo?: ReactNode;
  /** Leaves out the second password field of sign-up. */
  noPasswordRepeat?: boolean | undefined;
  /** For demonstrations: takes the place of the project, and the user is ignored. */
  mockProject?: { readonly displayName?: string; readonly config: AuthConfig } | undefined;
}

/** The sign-in or sign-up page, with the ways to sign in that the project offers. */
export function AuthPage({ fullPage, ...props }: AuthPageProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <AuthContent {...props} />
    </PageSurface>
  );
}

function AuthContent({ type, mockProject, automaticRedirect = false, extraInfo, noPasswordRepeat }: AuthPageProps) {
  const user = useUserReading();
  const project = useProjectReading();
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
  useSendingOn(type, state, setSentOn);

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
        {state === 'no-method' && <NoMethodNotice />}
        {state === 'form' && type === 'sign-in' && <CredentialSignInForm onSubmitting={setSubmitting} />}
        {state === 'form' && type === 'sign-up' && (
          <CredentialSignUpForm noPasswordRepeat={noPasswordRepeat} onSubmitting={setSubmitting} />
        )}
      </CardContent>
      {extraInfo && <CardFooter>{extraInfo}</CardFooter>}
    </Card>
  );
}

/** Sends on those who came here signed in, and tells when they are still here afterwards. */
function useSendingOn(type: AuthType, state: AuthState, setSentOn: (wasSentOn: boolean) => void): void {
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
  const say = useSay();
  const isSignIn = type === 'sign-in';

  return (
    <CardHeader>
      {projectName && <p className="tss:truncate tss:text-sm tss:text-muted-foreground">{projectName}</p>}
      <CardTitle>{say(isSignIn ? 'signIn.title' : 'signUp.title')}</CardTitle>
      {isSignIn && hasSignUp && (
        <CardDescription>
          {say('signIn.question')} <SwitchLink to="signUp">{say('signIn.toSignUp')}</SwitchLink>
        </CardDescription>
      )}
      {!isSignIn && (
        <CardDescription>
          {say('signUp.question')} <SwitchLink to="signIn">{say('signUp.toSignIn')}</SwitchLink>
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
  const say = useSay();
  return <FormSummary title={say('auth.noMethod')} />;
}
