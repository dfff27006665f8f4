import { readOneOf, readText } from '../../data/search-params.ts';

/** The filters of the team list, as they are in the address. */
export interface TeamSearch {
  readonly q?: string;
  readonly order?: 'oldest' | 'name';
}

/** Reads the filters from an address. */
export function readTeamSearch(search: Readonly<Record<string, unknown>>): TeamSearch {
  const q = readText(search.q);
  const order = readOneOf(search.order, ['oldest', 'name']);
  return { ...(q === undefined ? {} : { q }), ...(order === undefined ? {} : { order }) };
}
