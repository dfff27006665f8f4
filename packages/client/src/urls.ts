/** Where the pages of an app are. Relative to the page's origin. */
export interface HandlerUrls {
  /** Under this path the handler's own pages lie. Default `/handler`. */
  readonly handler: string;
  /** Where people sign in. */
  readonly signIn: string;
  /** Where people sign up. */
  readonly signUp: string;
  /** Default: `home`. */
  readonly afterSignIn: string;
  /** Default: the given `afterSignIn`, else `home`. */
  readonly afterSignUp: string;
  /** Where people sign out. */
  readonly signOut: string;
  /** Default: `home`. */
  readonly afterSignOut: string;
  /** Where links in mails that verify an address lead. */
  readonly emailVerification: string;
  /** Where links in mails that replace a password lead. */
  readonly passwordReset: string;
  /** Where people ask for such a mail. */
  readonly forgotPassword: string;
  /** Default `/`. */
  readonly home: string;
  /** Where providers lead back to. */
  readonly oauthCallback: string;
  /** Where links in mails that sign in lead. */
  readonly magicLinkCallback: string;
  /** Where people look after their account. */
  readonly accountSettings: string;
  /** Where links in mails that invite into a team lead. */
  readonly teamInvitation: string;
  /** Where the second step of a sign-in is made. */
  readonly mfa: string;
  /** Where people land when something was refused. */
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
  teamInvitation: true,
  mfa: true,
  error: true,
};

/** The path of a page below `handler`: `signIn` is at `sign-in`. */
function pathOf(page: string): string {
  return page.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** Completes what was given; members that are undefined count as not given. */
export function resolveUrls(given: Partial<HandlerUrls> = {}): HandlerUrls {
  const own = Object.fromEntries(Object.entries(given).filter(([, url]) => url !== undefined)) as Partial<HandlerUrls>;
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
