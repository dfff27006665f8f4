import type { Tokens } from '../tokens.ts';

/** Lifetimes in seconds. */
const refreshCookieLifeSeconds = 365 * 24 * 60 * 60;
const accessCookieLifeSeconds = 24 * 60 * 60;

export const legacyRefreshCookie = 'stack-refresh';

/** One for all projects, because cookies have little room; its value says which session it belongs to. */
export const accessCookie = 'stack-access';
export const httpsCookie = 'stack-is-https';

export function refreshCookie(projectId: string): string {
  return `stack-refresh-${projectId}`;
}

/** The project whose tokens the cookies contain, and the hosts that receive the cookies. */
export interface CookieScope {
  readonly projectId: string;
  /** The domain whose hosts share the session; undefined: this host alone. */
  readonly cookieDomain: string | undefined;
}

/** Values by name, in the order of the text: a name can occur more than once, with different paths or domains. */
export type Cookies = ReadonlyMap<string, readonly string[]>;

/**
 * Parses `document.cookie` or a `cookie` header (RFC 6265 section 4.2.1). It does not trim names: browsers let every
 * subdomain set the name `\u00a0__Host-x` for the whole domain, and `trim` would turn that name into `__Host-x`, which only
 * this host may set.
 */
export function parseCookies(text: string): Cookies {
  const cookies = new Map<string, string[]>();
  for (const part of text.split(/; */)) {
    const equals = part.indexOf('=');
    if (equals < 0) continue;
    const name = part.slice(0, equals);
    cookies.set(name, [...(cookies.get(name) ?? []), decodeValue(part.slice(equals + 1))]);
  }
  return cookies;
}

/** The tokens of a project among cookies. */
export function tokensFrom(cookies: Cookies, projectId: string): Tokens {
  const refreshToken = last(cookies, refreshCookie(projectId)) ?? last(cookies, legacyRefreshCookie);
  if (refreshToken === undefined) return { accessToken: null, refreshToken: null };
  const pairs = (cookies.get(accessCookie) ?? []).map(pairFrom);
  const accessToken = pairs.findLast(pair => pair?.[0] === refreshToken)?.[1] ?? null;
  return { accessToken, refreshToken };
}

interface TokenCookie {
  readonly name: string;
  /** Null deletes the cookie. */
  readonly value: string | null;
  readonly maxAgeSeconds: number;
}

/**
 * The cookies for these tokens. The pair first: a tab that reads between the two writes finds the old refresh token
 * without an access token, not the access token of another session.
 */
export function tokenCookies({ accessToken, refreshToken }: Tokens, projectId: string): readonly TokenCookie[] {
  const pair = refreshToken !== null && accessToken !== null ? JSON.stringify([refreshToken, accessToken]) : null;
  return [
    { name: accessCookie, value: pair, maxAgeSeconds: accessCookieLifeSeconds },
    { name: refreshCookie(projectId), value: refreshToken, maxAgeSeconds: refreshCookieLifeSeconds },
  ];
}

/** The text that sets a cookie; a null value deletes it. */
export function cookieText(
  name: string,
  value: string | null,
  options: {
    maxAgeSeconds?: number;
    isSecure?: boolean;
    isHttpOnly?: boolean;
    path?: string;
    domain?: string | undefined;
  } = {},
): string {
  const { maxAgeSeconds, isSecure = false, isHttpOnly = false, path = '/', domain } = options;
  return [
    `${name}=${encodeURIComponent(value ?? '')}`,
    `Path=${path}`,
    domain && `Domain=${domain}`,
    value === null ? 'Max-Age=0' : maxAgeSeconds && `Max-Age=${maxAgeSeconds}`,
    'SameSite=Lax',
    isSecure && 'Secure',
    isHttpOnly && 'HttpOnly',
  ]
    .filter(Boolean)
    .join('; ');
}

/**
 * Texts that delete a cookie wherever a page at this address could have written it: each parent path, each parent
 * domain, and the names with the prefixes of RFC 6265bis.
 */
export function deletionTexts(name: string, page: URL): string[] {
  const isSecure = page.protocol === 'https:';
  const prefixes = isSecure ? ['', '__Secure-', '__Host-'] : [''];
  return prefixes.flatMap(prefix =>
    domainsOf(page.hostname).flatMap(domain =>
      pathsOf(page.pathname).map(path => cookieText(prefix + name, null, { isSecure, path, domain })),
    ),
  );
}

/** The last one: browsers list longer paths first, and among equals the older first. Ours is at `/`. */
function last(cookies: Cookies, name: string): string | undefined {
  return cookies.get(name)?.findLast(value => value !== '');
}

function pairFrom(text: string): [refreshToken: string, accessToken: string] | undefined {
  if (!text.startsWith('["')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Cut off by the browser, or written by something else.
    return undefined;
  }
}

function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Not encoded by us.
    return value;
  }
}

function pathsOf(pathname: string): string[] {
  const parts = pathname.split('/').filter(Boolean);
  const parents = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
  return ['/', ...parents.flatMap(parent => [parent, `${parent}/`])];
}

function domainsOf(hostname: string): (string | undefined)[] {
  const labels = hostname.split('.');
  if (labels.length < 2 || /^[\d.]+$|:/.test(hostname)) return [undefined];
  return [undefined, ...labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))];
}
