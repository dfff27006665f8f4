import { userFilterPageDefault, userFilterReadMax } from '@tessera/protocol';
import type { PagePosition } from '../../core/page-cursor.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { shrinkToFit } from '../../platform/database/shrink-to-fit.ts';
import {
  type FilteredListing,
  type FilteredUser,
  selectFilteredUsers,
  type UserConditions,
} from '../accounts/users/index.ts';

/** What a page shows, and where it begins. */
export interface FilteredQuery {
  readonly at: PagePosition | undefined;
  readonly isDescending: boolean;
  readonly search: string | undefined;
  readonly teamId: string | undefined;
  readonly conditions: UserConditions;
  readonly limit?: number | undefined;
}

interface FilteredPage {
  readonly users: readonly FilteredUser[];
  /** The first user of the next page; undefined on the last page. */
  readonly next: PagePosition | undefined;
  /** The limit with which it was read: less than the asked one when the users are large. */
  readonly limit: number;
}

/**
 * A page of the users that fulfil conditions. A page ends after `readMax` users were read, even when it has few matches or
 * none: the next one goes on from there. So each page takes the same time, however rare the matches are.
 */
export async function listFilteredUsers(
  db: Queryable,
  projectId: string,
  query: FilteredQuery,
  readMax = userFilterReadMax,
): Promise<FilteredPage> {
  return shrinkToFit(query.limit ?? userFilterPageDefault, async limit => {
    const listing: FilteredListing = { ...query, limit: limit + 1, readMax };
    const { users, behind } = await selectFilteredUsers(db, projectId, listing);
    const next = users[limit];
    return { users: users.slice(0, limit), next: next === undefined ? behind : signUpOf(next), limit };
  });
}

function signUpOf({ signedUpAtMillis, id }: FilteredUser): PagePosition {
  return { atMillis: signedUpAtMillis, id };
}
