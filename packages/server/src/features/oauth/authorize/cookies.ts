import { oauthFlowLifetimeMs } from '@tessera/protocol';

/** Marks the browser that started a flow: the callback must arrive in the same browser (control 51). */
const nameOf = (state: string) => `stack-oauth-inner-${state}`;

/** The form of a state. Other values are not written into a header. */
const statePattern = /^[\w-]{1,128}$/;

interface CookieStyle {
  /** False only in development, which works without https. */
  readonly isSecure: boolean;
  /** The provider returns with a cross-site POST: browsers send only `SameSite=None` cookies with it. */
  readonly isForPost: boolean;
}

export function flowCookie(state: string, nowMillis: number, style: CookieStyle): string {
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
