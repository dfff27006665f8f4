const parameter = 'after_auth_return_to';

/** An address with the page to come back to that the current page's query names, if it names one. */
export function withReturnAddress(url: string, search: string): string {
  const returnTo = new URLSearchParams(search).get(parameter);
  if (returnTo === null) return url;

  const [rest = '', hash] = url.split('#', 2);
  const separator = rest.includes('?') ? '&' : '?';
  const query = new URLSearchParams({ [parameter]: returnTo });
  return `${rest}${separator}${query}${hash === undefined ? '' : `#${hash}`}`;
}
