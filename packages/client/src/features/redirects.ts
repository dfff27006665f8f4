import type { Context } from '../context.ts';
import type { HandlerUrls } from '../urls.ts';

/** How to go to a page. */
export interface RedirectToOptions {
  /** Leave no entry for the current page in the history. */
  readonly replace?: boolean;
  /** Neither remember the current page as the one to come back to, nor go back to a remembered one. */
  readonly noRedirectBack?: boolean;
}

type RedirectTo = (options?: RedirectToOptions) => Promise<void>;

/** One method per page of `urls`. Only relative addresses are gone to. */
export interface RedirectMethods {
  readonly redirectToSignIn: RedirectTo;
  readonly redirectToSignUp: RedirectTo;
  readonly redirectToSignOut: RedirectTo;
  readonly redirectToEmailVerification: RedirectTo;
  readonly redirectToPasswordReset: RedirectTo;
  readonly redirectToForgotPassword: RedirectTo;
  readonly redirectToHome: RedirectTo;
  readonly redirectToOAuthCallback: RedirectTo;
  readonly redirectToMagicLinkCallback: RedirectTo;
  readonly redirectToAfterSignIn: RedirectTo;
  readonly redirectToAfterSignUp: RedirectTo;
  readonly redirectToAfterSignOut: RedirectTo;
  readonly redirectToAccountSettings: RedirectTo;
  readonly redirectToError: RedirectTo;
  readonly redirectToTeamInvitation: RedirectTo;
  readonly redirectToMfa: RedirectTo;
}

export function redirects({ navigation }: Context<'client'>): { methods: RedirectMethods } {
  const to =
    (page: keyof HandlerUrls): RedirectTo =>
    options =>
      navigation.toPage(page, options);
  return {
    methods: {
      redirectToSignIn: to('signIn'),
      redirectToSignUp: to('signUp'),
      redirectToSignOut: to('signOut'),
      redirectToEmailVerification: to('emailVerification'),
      redirectToPasswordReset: to('passwordReset'),
      redirectToForgotPassword: to('forgotPassword'),
      redirectToHome: to('home'),
      redirectToOAuthCallback: to('oauthCallback'),
      redirectToMagicLinkCallback: to('magicLinkCallback'),
      redirectToAfterSignIn: to('afterSignIn'),
      redirectToAfterSignUp: to('afterSignUp'),
      redirectToAfterSignOut: to('afterSignOut'),
      redirectToAccountSettings: to('accountSettings'),
      redirectToError: to('error'),
      redirectToTeamInvitation: to('teamInvitation'),
      redirectToMfa: to('mfa'),
    },
  };
}
