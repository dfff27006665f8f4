import { AuthPage, type AuthPageProps } from './auth-page.tsx';

/** Props of `SignUp`. */
export type SignUpProps = Omit<AuthPageProps, 'type' | 'mockProject'>;

/** The sign-up page. */
export function SignUp(props: SignUpProps) {
  return <AuthPage type="sign-up" {...props} />;
}
