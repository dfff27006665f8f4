import { returnParameter } from '@tessera/client/internals';

/** Adds the return URL of the current page's query to a URL. */
export function withReturnAddress(url: string, search: string): string {
  const returnTo = new URLSearchParams(search).get(returnParameter);
  if (returnTo === null) return url;

  const [rest = '', hash] = url.split('#', 2);
  const separator = rest.includes('?') ? '&' : '?';
  const query = new URLSearchParams({ [returnParameter]: returnTo });
  return `${rest}${separator}${query}${hash === undefined ? '' : `#${hash}`}`;
}
