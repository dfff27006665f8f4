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

interface Listed {
  readonly id: string;
  readonly displayName: string;
  readonly createdAt: Date;
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The teams that a list shows: those whose name or id contains the text, newest first unless another order is asked. */
export function arrangeTeams<Team extends Listed>(teams: readonly Team[], { q = '', order }: TeamSearch): Team[] {
  const text = q.trim().toLowerCase();
  const found = teams.filter(({ id, displayName }) => displayName.toLowerCase().includes(text) || id.includes(text));
  if (order === 'name') return found.sort((one, other) => byName.compare(one.displayName, other.displayName));
  const direction = order === 'oldest' ? 1 : -1;
  return found.sort((one, other) => direction * (one.createdAt.getTime() - other.createdAt.getTime()));
}
