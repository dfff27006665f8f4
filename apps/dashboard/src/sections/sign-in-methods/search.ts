import type { ProviderId } from '@tessera/client';
import { oauthProviders } from '../../data/oauth-providers.ts';
import { readOneOf } from '../../data/search-params.ts';

/** The open provider, as it is in the address. */
export interface SignInMethodsSearch {
  readonly provider?: ProviderId;
}

const ids = oauthProviders.map(({ id }) => id);

/** Reads the open provider from an address. */
export function readSignInMethodsSearch(search: Readonly<Record<string, unknown>>): SignInMethodsSearch {
  const provider = readOneOf(search.provider, ids);
  return provider === undefined ? {} : { provider };
}
