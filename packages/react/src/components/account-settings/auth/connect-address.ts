const parameter = 'connect';

/** The address of the account settings that asks whether to connect a provider. */
export function connectAddress(accountSettings: string, provider: string): string {
  const [rest = ''] = accountSettings.split('#', 1);
  return `${rest}${rest.includes('?') ? '&' : '?'}${new URLSearchParams({ [parameter]: provider })}#auth`;
}

/** The provider that the query of the page asks to connect. */
export function askedProvider(search: string): string | undefined {
  return new URLSearchParams(search).get(parameter) ?? undefined;
}

/** The address of the page without the question. */
export function withoutQuestion(href: string): string {
  const url = new URL(href);
  url.searchParams.delete(parameter);
  return url.pathname + url.search + url.hash;
}
