import { AuthPage, type AuthPageProps } from './auth-page.tsx';

/** Props of `SignIn`. */
export type SignInProps = Omit<AuthPageProps, 'type' | 'noPasswordRepeat'>;

/** The sign-in page. */
export function SignIn(props: SignInProps) {
  return <AuthPage type="sign-in" {...props} />;
}
