/** Where the pages of an app are. Relative to the page's origin. */
export interface HandlerUrls {
  /** Under this path the handler's own pages lie. Default `/handler`. */
  readonly handler: string;
  readonly signIn: string;
  readonly signUp: string;
  /** Default: `home`. */
  readonly afterSignIn: string;
  /** Default: the given `afterSignIn`, else `home`. */
  readonly afterSignUp: string;
  readonly signOut: string;
  /** Default: `home`. */
  readonly afterSignOut: string;
  readonly emailVerification: string;
  readonly passwordReset: string;
  readonly forgotPassword: string;
  /** Default `/`. */
  readonly home: string;
  readonly oauthCallback: string;
  readonly magicLinkCallback: string;
  readonly accountSettings: string;
  readonly teamInvitation: string;
  readonly mfa: string;
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
