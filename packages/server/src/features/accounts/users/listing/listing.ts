import { usersPageDefault } from '@tessera/protocol';
import type { User } from '../../../../core/user.ts';
import type { Queryable } from '../../../../platform/database/database.ts';
import { foldText } from '../../../../platform/database/folded-text.ts';
import { shrinkToFit } from '../../../../platform/database/shrink-to-fit.ts';
import { selectUsers, type UserListing, type UserSearch } from './listing-store.ts';
import { isUserId, planLookup, type SearchedPage, type SearchSample } from './search-lookup.ts';

export interface UserQuery {
  readonly limit?: number;
  /** The id of the first user of the page. */
  readonly cursor?: string;
  readonly desc?: boolean;
  readonly query?: string;
  readonly team_id?: string;
}

export interface UserPage {
  readonly users: readonly User[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** A page of users (docs/contract/users.md#user-list). A cursor of a deleted user returns an empty page. */
export async function listUsers(
  db: Queryable,
  projectId: string,
  query: UserQuery,
  readSample?: () => Promise<SearchSample>,
): Promise<UserPage> {
  return shrinkToFit(query.limit ?? usersPageDefault, async limit => {
    // The extra user is the first of the next page.
    const page = { limit: limit + 1, isDescending: query.desc === true, teamId: query.team_id };
    const search = await planSearch(searchWords(query.query), page, readSample);
    const found = await findUsers(db, projectId, { ...page, cursor: query.cursor, search });
    return { users: found.slice(0, limit), nextCursor: found[limit]?.id ?? null };
  });
}

async function planSearch(
  words: string | undefined,
  page: SearchedPage,
  readSample?: () => Promise<SearchSample>,
): Promise<UserSearch | undefined> {
  if (words === undefined) return undefined;
  return { words, lookup: readSample && planLookup(words, await readSample(), page) };
}

/** Finds the page among all users when the periods of its lookup did not fill it. */
async function findUsers(db: Queryable, projectId: string, listing: UserListing): Promise<User[]> {
  const { search, limit } = listing;
  const found = await selectUsers(db, projectId, listing);
  if (search === undefined || found.length === limit || typeof search.lookup !== 'object') return found;
  const { trigrams, periods } = search.lookup;
  if (periods === undefined) return found;
  return selectUsers(db, projectId, { ...listing, search: { ...search, lookup: { trigrams, periods: undefined } } });
}

/**
 * A search in the form of the search column: folded, one line. Characters that cannot belong to an id, such as
 * braces, are removed when the rest is an id.
 */
export function searchWords(query: string | undefined): string | undefined {
  if (query === undefined || query === '') return undefined;
  const words = foldText(query.replaceAll('\n', ' '));
  const bare = words.replaceAll(/[^a-z0-9._-]/g, '');
  return isUserId(bare) ? bare : words;
}
