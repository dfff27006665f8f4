/** `basePath` of Next.js, which its own paths are without: what the app's handler has before the path that is shown. */
export function baseBefore(pathname: string, handler: string): string {
  const parts = trimmed(new URL(handler, 'http://localhost').pathname).split('/').slice(1);
  const count = parts.findIndex((_, index) => isBelow(pathname, `/${parts.slice(index).join('/')}`));
  return count > 0 ? `/${parts.slice(0, count).join('/')}` : '';
}

/** The same, anywhere in the browser: what its path has before the one that Next.js tells. */
export function baseOf(browserPath: string, pathname: string): string {
  const [whole, end] = [trimmed(browserPath), trimmed(pathname)];
  return whole.endsWith(end) ? whole.slice(0, whole.length - end.length) : '';
}

function isBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '');
}
