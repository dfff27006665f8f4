import type { HandlerUrls } from '@tessera/client';
import { trimTrailingSlashes } from '../redirects/trailing-slashes.ts';

/** A page of the handler, by its path. */
export type HandlerPage = keyof typeof handlerPages;

interface HandlerRoute {
  /** Name in `componentProps`. */
  readonly component: string;
  /** The app's URL of the page. A page without one is always below the handler. */
  readonly url?: keyof HandlerUrls;
  /** Whether visitors are redirected when that URL is outside of the handler. */
  readonly leaves?: boolean;
  /** Other names, in lower case and without dashes. The page's own name without dashes is always an alias. */
  readonly aliases?: readonly string[];
}

/** docs/contract/handler-pages.md#handler-routing: a page is a row here, and a component in `pages` of `handler.tsx`. */
const handlerPages = {
  'sign-in': { component: 'SignIn', url: 'signIn', leaves: true, aliases: ['login'] },
  'sign-up': { component: 'SignUp', url: 'signUp', leaves: true, aliases: ['register'] },
  'sign-out': { component: 'SignOut', url: 'signOut', leaves: true },
  'forgot-password': { component: 'ForgotPassword', url: 'forgotPassword', leaves: true },
  'password-reset': { component: 'PasswordReset', url: 'passwordReset', leaves: true },
  'email-verification': { component: 'EmailVerification', url: 'emailVerification', leaves: true },
  'magic-link-callback': { component: 'MagicLinkCallback', url: 'magicLinkCallback', leaves: true },
  'oauth-callback': { component: 'OAuthCallback', url: 'oauthCallback', leaves: true },
  'team-invitation': { component: 'TeamInvitation', url: 'teamInvitation', leaves: true },
  mfa: { component: 'MFA', url: 'mfa', leaves: true },
  'account-settings': { component: 'AccountSettings', url: 'accountSettings', leaves: false },
  'account-deletion': { component: 'AccountDeletion', url: 'accountDeletion', leaves: true },
  error: { component: 'ErrorPage', url: 'error', leaves: false },
  'cli-auth-confirm': { component: 'CliAuthConfirmation' },
} as const satisfies Record<string, HandlerRoute>;

/** The action of the handler for a location. */
export type Resolution =
  | { kind: 'page'; page: HandlerPage }
  | { kind: 'redirect'; to: string }
  | { kind: 'unknown' }
  | { kind: 'misplaced'; handler: string };

/** The location: path and query of the window, or of the router. */
export interface Place {
  /** Path, with the base path of the handler. */
  readonly path: string;
  /** Query with its question mark, or empty. */
  readonly search: string;
  /** Absolute URL of the window; the app's URLs are resolved against it. */
  readonly href: string;
}

/** Decides what the handler shows for a location: a page, a redirect, or an error card. */
export function resolvePage(place: Place, urls: HandlerUrls): Resolution {
  const base = pathOf(urls.handler, place.href);
  const path = trimTrailingSlashes(place.path);
  if (path !== base && !path.startsWith(`${base}/`)) return { kind: 'misplaced', handler: urls.handler };

  const segment = path.slice(base.length + 1);
  const page = findPage(segment);
  if (page === undefined) return { kind: 'unknown' };

  const elsewhere = addressElsewhere(page, place, urls);
  if (elsewhere !== undefined) return { kind: 'redirect', to: elsewhere };
  return segment === page ? { kind: 'page', page } : { kind: 'redirect', to: `${base}/${page}${place.search}` };
}

/** The page for a path below the handler, by name or alias. */
export function findPage(segment: string): HandlerPage | undefined {
  const name = segment.toLowerCase().replaceAll('-', '');
  return (Object.keys(handlerPages) as HandlerPage[]).find(page => {
    const { aliases = [] }: HandlerRoute = handlerPages[page];
    return page.replaceAll('-', '') === name || aliases.includes(name);
  });
}

/** Path and query of a page's URL outside of the handler, with the parameters of the current page added. */
function addressElsewhere(page: HandlerPage, place: Place, urls: HandlerUrls): string | undefined {
  const { url, leaves = false }: HandlerRoute = handlerPages[page];
  if (url === undefined || !leaves) return undefined;

  const target = new URL(urls[url], place.href);
  const handler = new URL(urls.handler, place.href);
  const isBelow =
    target.host === handler.host && target.pathname.startsWith(`${trimTrailingSlashes(handler.pathname)}/`);
  if (isBelow) return undefined;

  new URLSearchParams(place.search).forEach((value, name) => {
    target.searchParams.append(name, value);
  });
  return target.pathname + target.search;
}

function pathOf(url: string, href: string): string {
  return trimTrailingSlashes(new URL(url, href).pathname);
}
