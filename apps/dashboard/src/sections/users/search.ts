import { readOneOf, readText, readTexts } from '../../data/search-params.ts';

/** The filters of the user list, as they are in the address. */
export interface UserSearch {
  readonly q?: string;
  readonly order?: 'oldest';
  /** Columns that are left out. */
  readonly hide?: readonly string[];
}

/** Reads the filters from an address. */
export function readUserSearch(search: Readonly<Record<string, unknown>>): UserSearch {
  const q = readText(search.q);
  const order = readOneOf(search.order, ['oldest']);
  const hide = readTexts(search.hide);
  return {
    ...(q === undefined ? {} : { q }),
    ...(order === undefined ? {} : { order }),
    ...(hide === undefined ? {} : { hide }),
  };
}
