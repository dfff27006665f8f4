import type { User } from '../../../core/user.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql, unprepared } from '../../../platform/database/sql.ts';
import { userColumns } from './store.ts';

export interface UserListing {
  /** The first user of the page; undefined for the first page. */
  readonly cursor: string | undefined;
  readonly isDescending: boolean;
  /** In lower case; undefined without a search. */
  readonly search: string | undefined;
  readonly teamId: string | undefined;
  readonly limit: number;
}

const oldestFirst = sql`u.signed_up_at_millis, u.id`;
const newestFirst = sql`u.signed_up_at_millis desc, u.id desc`;

/** A page in the order of sign-up time and id. Later pages cost the same as the first. */
export function selectUsers(db: Queryable, projectId: string, listing: UserListing): Promise<User[]> {
  const { cursor, isDescending, search, teamId, limit } = listing;
  const order = isDescending ? newestFirst : oldestFirst;
  const page = sql`
    select ${userColumns}
    from users u
    where u.project_id = ${projectId}
      ${cursor === undefined ? sql`` : isDescending ? atOrBefore(projectId, cursor) : atOrAfter(projectId, cursor)}
      ${search === undefined ? sql`` : matches(search)}
      ${teamId === undefined ? sql`` : inTeam(teamId)}
    order by ${order}
    limit ${limit}
  `;
  // Not prepared: the fastest index depends on how rare the search text is.
  return db.query<User>(search === undefined ? page : unprepared(page));
}

function atOrAfter(projectId: string, cursor: string) {
  return sql`and (u.signed_up_at_millis, u.id) >= (${signedUpAtOf(projectId, cursor)}, ${cursor}::uuid)`;
}

function atOrBefore(projectId: string, cursor: string) {
  return sql`and (u.signed_up_at_millis, u.id) <= (${signedUpAtOf(projectId, cursor)}, ${cursor}::uuid)`;
}

/** Null for a deleted user: every comparison is null, and the page is empty. */
function signedUpAtOf(projectId: string, userId: string) {
  return sql`(select signed_up_at_millis from users where project_id = ${projectId} and id = ${userId})`;
}

function inTeam(teamId: string) {
  return sql`and exists (
    select from team_memberships tm where tm.project_id = u.project_id and tm.user_id = u.id and tm.team_id = ${teamId}
  )`;
}

/** Three letters or digits in a row, or two beside the end of a word. A search without one matches beginnings only. */
const trigram = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u;
/** The index of beginnings holds two characters. */
const beginningLength = 2;
/** The index lookup uses this many characters of a search: each further trigram costs more than it excludes. */
const lookedUpLength = 10;

function matches(search: string) {
  const characters = [...search];
  if (characters.length <= beginningLength || !trigram.test(search)) return beginsWith(characters);
  const pattern = `%${escapeWildcards(distinctivePart(characters))}%`;
  if (characters.length <= lookedUpLength) return sql`and u.search like ${pattern}`;
  return sql`and u.search like ${pattern} and position(${search} in u.search) > 0`;
}

function beginsWith(characters: readonly string[]) {
  const search = characters.join('');
  const beginning = characters.slice(0, beginningLength).join('');
  if (characters.length < beginningLength) return sql`and left(u.search, 2) like ${`${escapeWildcards(search)}%`}`;
  if (characters.length === beginningLength) return sql`and left(u.search, 2) = ${beginning}`;
  return sql`and left(u.search, 2) = ${beginning} and starts_with(u.search, ${search})`;
}

/** The end of a name, or of the part before the @: many users share a provider, few share the end of a local part. */
function distinctivePart(characters: readonly string[]): string {
  const at = characters.indexOf('@');
  const end = Math.max(at === -1 ? characters.length : at, lookedUpLength);
  const part = characters.slice(Math.max(0, end - lookedUpLength), end).join('');
  return trigram.test(part) ? part : characters.join('');
}

/** Escapes wildcards, so that they match themselves (control 84). */
function escapeWildcards(words: string): string {
  return words.replaceAll(/[\\%_]/g, '\\$&');
}
