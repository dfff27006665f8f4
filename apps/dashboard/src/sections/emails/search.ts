import { readOneOf } from '../../data/search-params.ts';

/** The filter of the email log, as it is in the address. */
export interface EmailLogSearch {
  readonly state?: 'accepted' | 'failed';
}

/** Reads the filter from an address. */
export function readEmailLogSearch(search: Readonly<Record<string, unknown>>): EmailLogSearch {
  const state = readOneOf(search.state, ['accepted', 'failed']);
  return state === undefined ? {} : { state };
}
