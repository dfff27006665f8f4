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

export function redirects({ navigation, config }: Context<'client'>): { methods: RedirectMethods } {
  const pages = (Object.keys(config.urls) as (keyof HandlerUrls)[]).filter(page => page !== 'handler');
  const methods = pages.map(page => [nameOf(page), (options?: RedirectToOptions) => navigation.toPage(page, options)]);
  // One per page of HandlerUrls but the handler itself, which the test of the members of an app holds.
  return { methods: Object.fromEntries(methods) as RedirectMethods };
}

function nameOf(page: string): string {
  return page === 'oauthCallback' ? 'redirectToOAuthCallback' : `redirectTo${page[0]?.toUpperCase()}${page.slice(1)}`;
}
