import type { Context } from '../app/context.ts';
import type { HandlerUrls } from '../navigation/urls.ts';
import { leaveSignIn } from './sign-in/leave.ts';

/** How to go to a page. */
export interface RedirectToOptions {
  /** Whether to replace the current page in the history. */
  readonly replace?: boolean | undefined;
  /** Whether to ignore the return address: the current page is not stored as one, and a stored one is not used. */
  readonly noRedirectBack?: boolean | undefined;
}

type RedirectTo = (options?: RedirectToOptions) => Promise<void>;

/** One method per page of `urls`. A redirect to an address that is not relative throws. */
export interface RedirectMethods {
  /** Goes to `urls.signIn`, which leads back here afterwards. */
  readonly redirectToSignIn: RedirectTo;
  /** Goes to `urls.signUp`, which leads back here afterwards. */
  readonly redirectToSignUp: RedirectTo;
  /** Goes to `urls.signOut`. */
  readonly redirectToSignOut: RedirectTo;
  /** Goes to `urls.emailVerification`. */
  readonly redirectToEmailVerification: RedirectTo;
  /** Goes to `urls.passwordReset`. */
  readonly redirectToPasswordReset: RedirectTo;
  /** Goes to `urls.forgotPassword`. */
  readonly redirectToForgotPassword: RedirectTo;
  /** Goes to `urls.home`. */
  readonly redirectToHome: RedirectTo;
  /** Goes to `urls.oauthCallback`. */
  readonly redirectToOAuthCallback: RedirectTo;
  /** Goes to `urls.magicLinkCallback`. */
  readonly redirectToMagicLinkCallback: RedirectTo;
  /** Goes to the return address, else to `urls.afterSignIn`. */
  readonly redirectToAfterSignIn: RedirectTo;
  /** Goes to the return address, else to `urls.afterSignUp`. */
  readonly redirectToAfterSignUp: RedirectTo;
  /** Goes to `urls.afterSignOut`. */
  readonly redirectToAfterSignOut: RedirectTo;
  /** Goes to `urls.accountSettings`. */
  readonly redirectToAccountSettings: RedirectTo;
  /** Goes to `urls.error`. */
  readonly redirectToError: RedirectTo;
  /** Goes to `urls.teamInvitation`. */
  readonly redirectToTeamInvitation: RedirectTo;
  /** Goes to `urls.mfa`. */
  readonly redirectToMfa: RedirectTo;
  /** Goes to `urls.accountDeletion`. An extension. */
  readonly redirectToAccountDeletion: RedirectTo;
}

export function redirects(ctx: Context<'client'>): { methods: RedirectMethods } {
  const { navigation, config } = ctx;
  const pages = (Object.keys(config.urls) as (keyof HandlerUrls)[]).filter(page => page !== 'handler');
  const methods = pages.map(page => [
    nameOf(page),
    (options?: RedirectToOptions) =>
      page === 'afterSignIn' ? leaveSignIn(ctx, { page, ...options }) : navigation.toPage(page, options),
  ]);
  // One per page of HandlerUrls but the handler itself, which the test of the members of an app holds.
  return { methods: Object.fromEntries(methods) as RedirectMethods };
}

function nameOf(page: string): string {
  return page === 'oauthCallback' ? 'redirectToOAuthCallback' : `redirectTo${page[0]?.toUpperCase()}${page.slice(1)}`;
}
