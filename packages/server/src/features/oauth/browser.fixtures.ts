import type { App } from '../../http/fetch-adapter.ts';

/** A page in the browser. */
export interface Page {
  readonly url: string;
  readonly response: Response;
  readonly text: string;
}

/** A browser with what a sign-in needs: redirects, cookies by host and path, and forms. */
export function createBrowser(options: {
  readonly app: App;
  /** The origin of the app: the browser stops at a redirect to it. */
  readonly stopAt: string;
  /** Other servers, by origin. */
  readonly others?: Readonly<Record<string, (request: Request) => Promise<Response>>>;
}) {
  const cookies: { host: string; path: string; name: string; value: string }[] = [];
  const visited: string[] = [];

  function cookiesFor({ host, pathname }: URL): string {
    const own = cookies.filter(cookie => cookie.host === host && pathname.startsWith(cookie.path));
    return own.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  function keep(url: URL, header: string): void {
    const [pair = '', ...attributes] = header.split('; ');
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const attribute = (wanted: string) =>
      attributes.find(one => one.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const path = attribute('path') ?? '/';
    const isOver = attribute('max-age') === '0' || new Date(attribute('expires') ?? Number.NaN).getTime() <= 0;
    const old = cookies.findIndex(one => one.host === url.host && one.path === path && one.name === name);
    if (old !== -1) cookies.splice(old, 1);
    if (!isOver) cookies.push({ host: url.host, path, name, value });
  }

  async function open(address: string, init: RequestInit = {}): Promise<Page> {
    const url = new URL(address);
    visited.push(address);
    if (url.origin === options.stopAt) return { url: address, response: new Response(), text: '' };
    const request = new Request(url, init);
    request.headers.set('cookie', cookiesFor(url));
    const other = options.others?.[url.origin];
    const response = await (other === undefined ? options.app(request) : other(request));
    for (const header of response.headers.getSetCookie()) keep(url, header);
    const location = response.headers.get('location');
    if (location !== null) return open(new URL(location, url).href);
    return { url: address, response, text: await response.text() };
  }

  return {
    visited: visited as readonly string[],
    open: (address: string) => open(address),
    /** Submits the form of a page to the URL of the page. */
    submit: (page: Page, fields: Record<string, string>) =>
      open(page.url, { method: 'POST', body: new URLSearchParams(fields) }),
  };
}
