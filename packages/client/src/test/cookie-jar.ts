import type { CookieJar } from '../platform/platform.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Undefined: only for the host that set it. */
  readonly domain: string | undefined;
  readonly host: string;
  readonly isSecure: boolean;
}

/** The cookies of a browser, as far as RFC 6265 matters here. */
export function createCookieJar() {
  let cookies: Cookie[] = [];
  const written: string[] = [];

  function write(page: URL, cookie: string): void {
    written.push(cookie);
    const [pair = '', ...attributes] = cookie.split(';').map(part => part.trim());
    const given = new Map(attributes.map(part => splitAt(part.toLowerCase(), '=')));
    const [name, value] = splitAt(pair, '=');
    const isSecure = given.has('secure');
    const domain = given.get('domain');
    if (isSecure && page.protocol !== 'https:') return;
    if (name.startsWith('__Host-') && domain !== undefined) return;
    if (domain !== undefined && !`.${page.hostname}`.endsWith(`.${domain}`)) return;

    const path = attributes.find(part => /^path=/i.test(part))?.slice(5) ?? '/';
    const isSame = (other: Cookie) => other.name === name && other.path === path && other.domain === domain;
    const isGone = Number(given.get('max-age') ?? 1) <= 0;
    const next = { name, value, path, domain, host: page.hostname, isSecure };
    const index = cookies.findIndex(isSame);
    if (isGone) cookies = cookies.filter(other => !isSame(other));
    else if (index >= 0) cookies = cookies.with(index, next);
    else cookies = [...cookies, next];
  }

  function read(page: URL): string {
    return cookies
      .filter(({ path, isSecure }) => isUnder(page.pathname, path) && (!isSecure || page.protocol === 'https:'))
      .sort((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  return {
    written,
    names: () => cookies.map(({ name }) => name).sort(),
    clear: () => {
      cookies = [];
    },
    /** `document.cookie` of a page. */
    of: (href: () => string): CookieJar => ({
      read: () => read(new URL(href())),
      write: cookie => write(new URL(href()), cookie),
    }),
  };
}

function isUnder(pathname: string, path: string): boolean {
  return path === '/' || pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
