import { withParameter } from '../../navigation/return-address.ts';

const parameter = 'connect';

/** The address of the account settings that asks whether to connect a provider. */
export function connectAddress(accountSettings: string, provider: string): string {
  return withParameter(signInSettings(accountSettings), parameter, provider);
}

/** The address of the account settings about signing in. */
export function signInSettings(accountSettings: string): string {
  return accountSettings.replace(/#.*|$/, '#auth');
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
