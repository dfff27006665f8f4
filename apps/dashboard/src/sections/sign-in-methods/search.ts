import type { ProviderId } from '@tessera/client';
import { oauthProviders } from '../../data/oauth-providers.ts';
import { readId, readOneOf } from '../../data/search-params.ts';

/** The open dialog, as it is in the address. */
export interface SignInMethodsSearch {
  readonly provider?: ProviderId;
  /** Id of a test of a provider, whose result is open. The server adds it when the provider leads back. */
  readonly test?: string;
}

const ids = oauthProviders.map(({ id }) => id);

/** Reads the open dialog from an address. */
export function readSignInMethodsSearch(search: Readonly<Record<string, unknown>>): SignInMethodsSearch {
  const provider = readOneOf(search.provider, ids);
  const test = readId(search.test);
  return { ...(provider !== undefined && { provider }), ...(test !== undefined && { test }) };
}
