import { returnParameter } from '@tessera/client/internals';

/** Adds the return URL of the current page's query to a URL. */
export function withReturnAddress(url: string, search: string): string {
  return withReturnTo(url, new URLSearchParams(search).get(returnParameter));
}

/** Adds a return URL to a URL. */
export function withReturnTo(url: string, returnTo: string | null): string {
  return returnTo === null ? url : withParameter(url, returnParameter, returnTo);
}

/** Adds a parameter to the query of a URL. */
export function withParameter(url: string, name: string, value: string): string {
  const mark = /^[^#]*\?/.test(url) ? '&' : '?';
  return url.replace(/#.*|$/, hash => mark + new URLSearchParams({ [name]: value }) + hash);
}
