import { oauthFlowLifetimeMs, oauthFlowsPerBrowserMax } from '@tessera/protocol';

/** Marks the browser that started a flow: the callback must arrive in the same browser (control 51). */
const prefix = 'stack-oauth-inner-';
const nameOf = (state: string) => `${prefix}${state}`;

/** The form of a state. Other values are not written into a header. */
const statePattern = /^[\w-]{1,128}$/;

/** Proxies refuse a response with large headers, so a browser that has very many cookies loses them in several responses. */
const maxDeletions = 10;

interface CookieStyle {
  /** False only in development, which works without https. */
  readonly isSecure: boolean;
  /** The provider returns with a cross-site POST: browsers send only `SameSite=None` cookies with it. */
  readonly isForPost: boolean;
}

/**
 * The cookie of a new flow, and deletions of the oldest ones above the maximum. Browsers keep about 180 cookies of a domain
 * and then delete the oldest, which may be those of a session: a page of another site could begin flows until it is gone.
 *
 * @param flow.cookies the cookie header of the request
 */
export function flowCookies(
  { state, cookies }: { readonly state: string; readonly cookies: string | null },
  nowMillis: number,
  style: CookieStyle,
): string[] {
  // RFC 6265 section 5.4: cookies with one path come in the order of their creation.
  const others = statesOf(cookies).filter(other => other !== state);
  const surplus = others.slice(0, Math.max(0, others.length - oauthFlowsPerBrowserMax + 1)).slice(0, maxDeletions);
  return [flowCookie(state, nowMillis, style), ...surplus.flatMap(other => expiredFlowCookie(other, style) ?? [])];
}

/** The states of the flows in a cookie header. */
function statesOf(header: string | null): string[] {
  const names = (header ?? '').split(';').map(cookie => cookie.trim().split('=', 1)[0] ?? '');
  return names.filter(name => name.startsWith(prefix)).map(name => name.slice(prefix.length));
}

function flowCookie(state: string, nowMillis: number, style: CookieStyle): string {
  const expires = new Date(nowMillis + oauthFlowLifetimeMs).toUTCString();
  const lifetime = [`Expires=${expires}`, `Max-Age=${oauthFlowLifetimeMs / 1000}`];
  return [`${nameOf(state)}=true`, 'Path=/', ...lifetime, ...attributes(style)].join('; ');
}

/** Deletes the cookie; undefined for a value that is not one of our states. */
export function expiredFlowCookie(state: string | undefined, style: CookieStyle): string | undefined {
  if (state === undefined || !statePattern.test(state)) return undefined;
  const lifetime = ['Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'Max-Age=0'];
  return [`${nameOf(state)}=`, 'Path=/', ...lifetime, ...attributes(style)].join('; ');
}

export function hasFlowCookie(header: string | null, state: string): boolean {
  return (header ?? '').split(';').some(cookie => cookie.trim() === `${nameOf(state)}=true`);
}

function attributes({ isSecure, isForPost }: CookieStyle): string[] {
  return [...(isSecure || isForPost ? ['Secure'] : []), 'HttpOnly', ...(isForPost ? ['SameSite=None'] : [])];
}
