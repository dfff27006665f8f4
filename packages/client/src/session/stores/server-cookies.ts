import type { CookieOptions } from '../../app/config/options.ts';
import type { Tokens } from '../tokens.ts';
import { noTokens } from '../tokens.ts';
import { accessCookie, type Cookies, legacyRefreshCookie, refreshCookie, tokenCookies, tokensFrom } from './cookies.ts';

/** A cookie that only this host can have set, over https (RFC 6265bis). Scripts of a page never see ours. */
const hostPrefix = '__Host-';

/** Whether the session of a request is kept on servers, in cookies that only this host can have set. Control 37. */
export function isServerManaged(cookies: Cookies, projectId: string): boolean {
  return cookies.has(hostPrefix + refreshCookie(projectId));
}

/** How servers write the tokens of a project. */
export interface ServerCookieScope {
  readonly projectId: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly domain: string | undefined;
}

/** RFC 6265bis: the prefix forbids a domain, and browsers accept it over https only. */
export function prefixOf({ secure, httpOnly, domain }: Omit<ServerCookieScope, 'projectId'>): string {
  return httpOnly && secure && domain === undefined ? hostPrefix : '';
}

interface ResponseCookie {
  readonly name: string;
  /** Null deletes the cookie. */
  readonly value: string | null;
  readonly options: CookieOptions;
}

/** The cookies of a response that replace the tokens in the cookies of a request; null tokens delete them. */
export function responseCookies(tokens: Tokens, found: Cookies, scope: ServerCookieScope): readonly ResponseCookie[] {
  const { projectId, secure, httpOnly, domain } = scope;
  const common = { secure, httpOnly, sameSite: 'lax', path: '/' } as const;
  const remove = (name: string) => ({ name, value: null, options: { ...common, maxAge: 0 } });
  const isHiding = ({ name, value }: Pick<ResponseCookie, 'name' | 'value'>) =>
    domain !== undefined && (found.get(name)?.length ?? 0) > (value === null ? 0 : 1);
  const own = tokenCookies(tokens, projectId).map(({ name, value, maxAgeSeconds }) => ({
    name: prefixOf(scope) + name,
    value,
    options: { ...common, maxAge: value === null ? 0 : maxAgeSeconds, ...(domain !== undefined && { domain }) },
  }));
  return [
    ...(found.has(legacyRefreshCookie) ? [remove(legacyRefreshCookie)] : []),
    // Written for this host before the app had a domain. First: a jar with one cookie per name keeps the last one.
    ...own.filter(isHiding).map(({ name }) => remove(name)),
    ...own,
  ];
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
  const { accessToken, refreshToken } = tokensFrom(prefix ? own : cookies, projectId);
  if (!isTokenText(refreshToken)) return noTokens;
  return { accessToken: isTokenText(accessToken) ? accessToken : null, refreshToken };
}

/**
 * Whether a value of a request can be a token. The caller chooses it, so a worthless one must not fail. Other code writes the
 * text `undefined` by mistake.
 */
export function isTokenText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== 'undefined';
}
