/** The filter of the key list, as it is in the address. */
export interface ApiKeysSearch {
  readonly ended?: true;
}

/** Reads the filter from an address. The router parses `?ended=true` as a boolean. */
export function readApiKeysSearch(search: Readonly<Record<string, unknown>>): ApiKeysSearch {
  return search.ended === true ? { ended: true } : {};
}
