import type { Optional } from '../util/optional.ts';
/**
 * The query parameter with the return address
 * (docs/contract/client-runtime.md#handler-redirects-and-after_auth_return_to).
 */
export const returnParameter = 'after_auth_return_to';

/** The addresses of the pages of an app. Relative to the page's origin. */
export interface HandlerUrls {
  /** Base path of the handler's pages. Default `/handler`. */
  readonly handler: string;
  /** The sign-in page. */
  readonly signIn: string;
  /** The sign-up page. */
  readonly signUp: string;
  /** Default: `home`. */
  readonly afterSignIn: string;
  /** Default: the configured `afterSignIn`, else `home`. */
  readonly afterSignUp: string;
  /** The sign-out page. */
  readonly signOut: string;
  /** Default: `home`. */
  readonly afterSignOut: string;
  /** The target of links in verification emails. */
  readonly emailVerification: string;
  /** The target of links in password reset emails. */
  readonly passwordReset: string;
  /** The page that sends a password reset email. */
  readonly forgotPassword: string;
  /** Default `/`. */
  readonly home: string;
  /** The callback page of OAuth providers. */
  readonly oauthCallback: string;
  /** The target of links in sign-in emails. */
  readonly magicLinkCallback: string;
  /** The account settings page. */
  readonly accountSettings: string;
  /** The target of links in team invitation emails. */
  readonly teamInvitation: string;
  /** The page for the second factor. */
  readonly mfa: string;
  /** The page on which a user learns when the account will be deleted, and keeps it. An extension. */
  readonly accountDeletion: string;
  /** The error page. */
  readonly error: string;
}

type Page = Exclude<keyof HandlerUrls, 'handler' | 'home' | 'afterSignIn' | 'afterSignUp' | 'afterSignOut'>;

/** The handler's pages. */
const handlerPages: Record<Page, true> = {
  signIn: true,
  signUp: true,
  signOut: true,
  emailVerification: true,
  passwordReset: true,
  forgotPassword: true,
  oauthCallback: true,
  magicLinkCallback: true,
  accountSettings: true,
  accountDeletion: true,
  teamInvitation: true,
  mfa: true,
  error: true,
};

/** The path of a page below `handler`: `signIn` is at `sign-in`. */
function pathOf(page: string): string {
  return page.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** Completes the configured addresses. An undefined member has its default. */
export function resolveUrls(given: Optional<HandlerUrls> = {}): HandlerUrls {
  const own = Object.fromEntries(Object.entries(given).filter(([, url]) => url !== undefined)) as Optional<HandlerUrls>;
  const handler = own.handler ?? '/handler';
  const home = own.home ?? '/';
  const pages = Object.keys(handlerPages).map(page => [page, `${handler}/${pathOf(page)}`]);
  return Object.freeze({
    handler,
    home,
    ...(Object.fromEntries(pages) as Record<Page, string>),
    afterSignIn: home,
    afterSignUp: own.afterSignIn ?? home,
    afterSignOut: home,
    ...own,
  });
}
