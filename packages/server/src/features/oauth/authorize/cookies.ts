import { oauthFlowLifetimeMs } from '@tessera/protocol';

/** Marks the browser in which a flow was begun: it must also be the one that comes back (control 51). */
const nameOf = (state: string) => `stack-oauth-inner-${state}`;

/** What a state can look like; anything else is not written into a header. */
const statePattern = /^[\w-]{1,128}$/;

interface CookieStyle {
  /** Left out in development only, which does without https. */
  readonly isSecure: boolean;
  /** The provider comes back with a POST of its own site: browsers send only such cookies along with it. */
  readonly isForPost: boolean;
}

export function flowCookie(state: string, nowMillis: number, style: CookieStyle): string {
  const expires = new Date(nowMillis + oauthFlowLifetimeMs).toUTCString();
  const lifetime = [`Expires=${expires}`, `Max-Age=${oauthFlowLifetimeMs / 1000}`];
  return [`${nameOf(state)}=true`, 'Path=/', ...lifetime, ...attributes(style)].join('; ');
}

/** Takes the cookie away again; undefined for what is no state of ours. */
export function endedFlowCookie(state: string | undefined, style: CookieStyle): string | undefined {
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
