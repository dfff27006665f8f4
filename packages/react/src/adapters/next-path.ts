import { trimTrailingSlashes } from '../redirects/trailing-slashes.ts';

/** The `basePath` of Next.js: the part of the handler's URL path in front of the path that Next.js reports. */
export function baseBefore(pathname: string, handler: string): string {
  const parts = trimTrailingSlashes(new URL(handler, 'http://localhost').pathname).split('/').slice(1);
  const count = parts.findIndex((_, index) => isBelow(pathname, `/${parts.slice(index).join('/')}`));
  return count > 0 ? `/${parts.slice(0, count).join('/')}` : '';
}

/** The same in the browser: the part of the location's path in front of the path that Next.js reports. */
export function baseOf(browserPath: string, pathname: string): string {
  const [whole, end] = [trimTrailingSlashes(browserPath), trimTrailingSlashes(pathname)];
  return whole.endsWith(end) ? whole.slice(0, whole.length - end.length) : '';
}

function isBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}
