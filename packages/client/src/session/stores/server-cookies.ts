import type { Tokens } from '../../app/config/options.ts';
import { accessCookie, type Cookies, refreshCookie, tokensFrom } from './cookies.ts';

/** A cookie that only this host can have set, over https (RFC 6265bis). Scripts of a page never see ours. */
export const hostPrefix = '__Host-';

/** Whether the session of a request is kept on servers, in cookies that only this host can have set. Control 37. */
export function isServerManaged(cookies: Cookies, projectId: string): boolean {
  return cookies.has(hostPrefix + refreshCookie(projectId));
}

/**
 * The tokens of a project among the cookies of a request.
 *
 * @param prefix of the names that count; by default cookies with the prefix win over others
 */
export function serverTokensFrom(
  cookies: Cookies,
  projectId: string,
  prefix = isServerManaged(cookies, projectId) ? hostPrefix : '',
): Tokens {
  const names = [refreshCookie(projectId), accessCookie];
  const own = new Map(names.map(name => [name, cookies.get(prefix + name) ?? []]));
  return tokensFrom(prefix ? own : cookies, projectId);
}
