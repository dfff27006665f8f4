import { readText } from '../../data/search-params.ts';

/** The filter of the definitions, as it is in the address. */
export interface PermissionSearch {
  readonly q?: string;
}

/** Reads the filter from an address. */
export function readPermissionSearch(search: Readonly<Record<string, unknown>>): PermissionSearch {
  const q = readText(search.q);
  return q === undefined ? {} : { q };
}

interface Described {
  readonly id: string;
  readonly description?: string;
}

/** The definitions whose id or description contains the text, in any case. */
export function filterDefinitions<Definition extends Described>(
  definitions: readonly Definition[],
  { q = '' }: PermissionSearch,
): readonly Definition[] {
  const text = q.trim().toLowerCase();
  return definitions.filter(({ id, description }) => `${id} ${description?.toLowerCase() ?? ''}`.includes(text));
}
