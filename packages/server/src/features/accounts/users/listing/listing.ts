import { usersPageDefault } from '@tessera/protocol';
import type { User } from '../../../../core/user.ts';
import type { Queryable } from '../../../../platform/database/database.ts';
import { selectUsers, type UserSearch } from './listing-store.ts';
import { planLookup, type SearchSample } from './search-lookup.ts';

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
  const limit = query.limit ?? usersPageDefault;
  const found = await selectUsers(db, projectId, {
    cursor: query.cursor,
    isDescending: query.desc === true,
    search: await planSearch(searchWords(query.query), limit, readSample),
    teamId: query.team_id,
    // The extra user is the first of the next page.
    limit: limit + 1,
  });
  return { users: found.slice(0, limit), nextCursor: found[limit]?.id ?? null };
}

async function planSearch(
  words: string | undefined,
  limit: number,
  readSample?: () => Promise<SearchSample>,
): Promise<UserSearch | undefined> {
  if (words === undefined) return undefined;
  return { words, lookup: readSample && planLookup(words, await readSample(), limit) };
}

/**
 * A search in the form of the search column: lower case, one line. Characters that cannot belong to an id, such as
 * braces, are removed when the rest is an id.
 */
export function searchWords(query: string | undefined): string | undefined {
  const words = query?.replaceAll('\n', ' ').toLowerCase();
  if (words === undefined || words === '') return undefined;
  const bare = words.replaceAll(/[^a-z0-9._-]/g, '');
  return userIdPattern.test(bare) ? bare : words;
}

const userIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
