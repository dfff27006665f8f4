import type { PagePosition } from '../../../../core/page-cursor.ts';
import type { User } from '../../../../core/user.ts';
import type { Queryable } from '../../../../platform/database/database.ts';
import { escapeWildcards, sql, withoutName } from '../../../../platform/database/sql.ts';
import { userColumns } from '../store.ts';
import { type EmailCode, emailCode, hasVerifiedAddress } from './email-code-store.ts';
import { beginningLength, hasTrigram, isUserId, matchesBeginnings, type SearchLookup } from './search-lookup.ts';
import type { SignUpPeriods } from './sign-up-periods.ts';

export interface UserListing {
  /** The first user of the page; undefined for the first page. */
  readonly cursor: string | undefined;
  readonly isDescending: boolean;
  readonly search: UserSearch | undefined;
  readonly teamId: string | undefined;
  readonly limit: number;
}

/** A search and how it is found; without a lookup, the planner decides. */
export interface UserSearch {
  /** The searched words, as `foldText` writes them. */
  readonly words: string;
  readonly lookup: SearchLookup | undefined;
}

const oldestFirst = sql`u.signed_up_at_millis, u.id`;
const newestFirst = sql`u.signed_up_at_millis desc, u.id desc`;

/** Conditions on users beside search and team; an undefined one always holds. */
export interface UserConditions {
  /** `password`, `otp`, `passkey`, or the id of an OAuth provider. */
  readonly method: string | undefined;
  readonly hasSecondFactor: boolean | undefined;
  readonly isVerified: boolean | undefined;
  readonly isAnonymous: boolean | undefined;
  readonly isSuspended: boolean | undefined;
  readonly activeFromMillis: number | undefined;
  /** Exclusive. */
  readonly activeToMillis: number | undefined;
  readonly signedUpFromMillis: number | undefined;
  /** Exclusive. */
  readonly signedUpToMillis: number | undefined;
}

export interface FilteredListing extends Omit<UserListing, 'cursor' | 'search'> {
  /** As `foldText` writes it; undefined without a search. */
  readonly search: string | undefined;
  /** The sign-up of the first user that is read; undefined for the first page. */
  readonly at: PagePosition | undefined;
  readonly conditions: UserConditions;
  /** Users that are read at most. */
  readonly readMax: number;
}

/** A user of a filtered list. */
export interface FilteredUser extends User {
  readonly emailCode: EmailCode;
  readonly suspendedAtMillis: number | null;
  /** False for a user without any session so far, whose last activity is the sign-up. */
  readonly wasActive: boolean;
}

/** The matching users, and the first user behind those that were read when fewer than `limit` match. */
interface FoundUsers {
  readonly users: readonly FilteredUser[];
  readonly behind: PagePosition | undefined;
}

/**
 * The matching ones of the next `readMax` users. The work of one call has this bound, however rare a match is. Ordering
 * and reading take place before the conditions: a planner that puts a condition first would read every match of the
 * project and sort it. One statement: a user who is deleted between two would move the position behind by one.
 */
export async function selectFilteredUsers(
  db: Queryable,
  projectId: string,
  listing: FilteredListing,
): Promise<FoundUsers> {
  const order = listing.isDescending ? newestFirst : oldestFirst;
  const rows = await db.query<FoundRow>(
    withoutName(sql`
      with found as (
        select ${userColumns}, ${emailCode(projectId)} as "emailCode", u.suspended_at_millis as "suspendedAtMillis",
          u.last_active_at_millis is not null as "wasActive"
        from (
          select u.* from users u where ${isInListing(projectId, listing)} order by ${order} limit ${listing.readMax}
        ) u
        where ${fulfils(projectId, listing.conditions)}
        order by ${order}
        limit ${listing.limit}
      ), behind as (
        select u.signed_up_at_millis, u.id from users u
        where ${isInListing(projectId, listing)} and (select count(*) from found) < ${listing.limit}
        order by ${order} offset ${listing.readMax} limit 1
      )
      select found.*, behind.signed_up_at_millis as "behindMillis", behind.id as "behindId"
      from (select) one left join found on true left join behind on true
      order by ${listing.isDescending ? sql`found."signedUpAtMillis" desc, found.id desc` : sql`found."signedUpAtMillis", found.id`}
    `),
  );
  const { behindMillis: atMillis = null, behindId: id = null } = rows[0] ?? {};
  return { users: rows.filter(hasUser), behind: atMillis === null || id === null ? undefined : { atMillis, id } };
}

/** A row of `selectFilteredUsers`. A page without a match has one, without a user. */
type FoundRow = { readonly [Key in keyof FilteredUser]: FilteredUser[Key] | null } & {
  readonly behindMillis: number | null;
  readonly behindId: string | null;
};

function hasUser(row: FoundRow): row is FoundRow & FilteredUser {
  return row.id !== null;
}

/** What an index decides: project, place, time of sign-up, search and team. */
function isInListing(projectId: string, { at, isDescending, search, teamId, conditions }: FilteredListing) {
  const { signedUpFromMillis: from, signedUpToMillis: to } = conditions;
  return sql`u.project_id = ${projectId}
    ${at === undefined ? sql`` : isDescending ? atOrBeforePosition(at) : atOrAfterPosition(at)}
    ${from === undefined ? sql`` : sql`and u.signed_up_at_millis >= ${from}`}
    ${to === undefined ? sql`` : sql`and u.signed_up_at_millis < ${to}`}
    ${search === undefined ? sql`` : matches(search)}
    ${teamId === undefined ? sql`` : inTeam(teamId)}`;
}

function atOrAfterPosition({ atMillis, id }: PagePosition) {
  return sql`and (u.signed_up_at_millis, u.id) >= (${atMillis}, ${id}::uuid)`;
}

function atOrBeforePosition({ atMillis, id }: PagePosition) {
  return sql`and (u.signed_up_at_millis, u.id) <= (${atMillis}, ${id}::uuid)`;
}

function fulfils(projectId: string, conditions: UserConditions) {
  const { method, hasSecondFactor, isVerified, isAnonymous, isSuspended, activeFromMillis, activeToMillis } =
    conditions;
  const lastActive = sql`coalesce(u.last_active_at_millis, u.signed_up_at_millis)`;
  return sql`true
    ${method === undefined ? sql`` : sql`and ${signsInWith(projectId, method)}`}
    ${hasSecondFactor === undefined ? sql`` : sql`and (u.totp_secret is not null) = ${hasSecondFactor}`}
    ${isVerified === undefined ? sql`` : sql`and u.primary_email_verified = ${isVerified}`}
    ${isAnonymous === undefined ? sql`` : sql`and u.is_anonymous = ${isAnonymous}`}
    ${isSuspended === undefined ? sql`` : sql`and (u.suspended_at_millis is not null) = ${isSuspended}`}
    ${activeFromMillis === undefined ? sql`` : sql`and ${lastActive} >= ${activeFromMillis}`}
    ${activeToMillis === undefined ? sql`` : sql`and ${lastActive} < ${activeToMillis}`}`;
}

/** A value and not `exists`, which becomes a join that reads all accounts of the provider. */
function signsInWith(projectId: string, method: string) {
  if (method === 'password') return sql`u.password_hash is not null`;
  if (method === 'otp') return sql`not u.otp_auth_refused and ${hasVerifiedAddress(projectId)}`;
  if (method === 'passkey') return sql`u.has_passkey`;
  return sql`case when u.may_have_oauth_accounts then (
    select true from oauth_accounts o
    where o.project_id = u.project_id and o.user_id = u.id and o.provider_id = ${method} limit 1
  ) else false end`;
}

/** A page in the order of sign-up time and id. Later pages cost the same as the first. */
export function selectUsers(db: Queryable, projectId: string, listing: UserListing): Promise<User[]> {
  const { cursor, isDescending, search, teamId, limit } = listing;
  const order = isDescending ? newestFirst : oldestFirst;
  const periods = typeof search?.lookup === 'object' ? search.lookup.periods : undefined;
  const page = sql`
    select ${userColumns}
    from users u
    where u.project_id = ${projectId}
      ${cursor === undefined ? sql`` : isDescending ? atOrBefore(projectId, cursor) : atOrAfter(projectId, cursor)}
      ${search === undefined ? sql`` : isFound(search)}
      ${periods === undefined ? sql`` : isInPeriods(projectId, listing, periods)}
      ${teamId === undefined ? sql`` : inTeam(teamId)}
    order by ${order}
    ${teamId === undefined ? sql`limit (select ${limit}::integer)` : sql`limit ${limit}`}
  `;
  // Not prepared: the fastest index depends on the values.
  const isPlannedForValues = search !== undefined && (search.lookup === undefined || teamId !== undefined);
  return db.query<User>(isPlannedForValues ? withoutName(page) : page);
}

function isFound({ words, lookup }: UserSearch) {
  if (lookup === undefined || lookup === 'beginning') return matches(words);
  if (lookup === 'in order') return contains(words);
  const [first, second, third] = lookup.trigrams;
  return sql`${containsTrigram(first)} ${containsTrigram(second)} ${containsTrigram(third)} ${contains(words)}`;
}

/** The id at the end of the text is found as a whole only: three characters of it can be a word. */
function contains(words: string) {
  return isUserId(words)
    ? sql`and position(${words} in u.search) > 0`
    : sql`and position(${words} in ${withoutId}) > 0`;
}

const idLength = 36;
const withoutId = sql`left(u.search, ${-idLength})`;

/**
 * The condition for a trigram, which contains only letters and digits and so no wildcard. The subquery hides the value
 * from the planner, which then estimates one match in 200.
 */
function containsTrigram(trigram: string) {
  return sql`and u.search like (select ${`%${trigram}%`}::text)`;
}

/** The expression of the index `users_search_by_period`. */
const signUpPeriods = sql`(array[
  u.signed_up_at_millis / 3600000,
  u.signed_up_at_millis / 28800000 + 1000000000000,
  u.signed_up_at_millis / 230400000 + 2000000000000,
  u.signed_up_at_millis / 1843200000 + 3000000000000,
  u.signed_up_at_millis / 14745600000 + 4000000000000
])`;

function isInPeriods(projectId: string, listing: UserListing, { firstNumber, lengthMillis, count }: SignUpPeriods) {
  const { cursor, isDescending } = listing;
  const beginning =
    cursor !== undefined ? signedUpAtOf(projectId, cursor) : isDescending ? newestOf(projectId) : oldestOf(projectId);
  return sql`and ${signUpPeriods} && array(
    select ${firstNumber}::bigint + ${beginning} / ${lengthMillis}::bigint + ${isDescending ? -1 : 1}::integer * n
    from generate_series(0, (select ${count - 1}::integer)) n
  )`;
}

function newestOf(projectId: string) {
  return sql`(select max(signed_up_at_millis) from users where project_id = ${projectId})`;
}

function oldestOf(projectId: string) {
  return sql`(select min(signed_up_at_millis) from users where project_id = ${projectId})`;
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

/** The index lookup uses this many characters of a search: each further trigram costs more than it excludes. */
const lookedUpLength = 10;

function matches(search: string) {
  const characters = [...search];
  if (matchesBeginnings(search)) return beginsWith(characters);
  const pattern = `%${escapeWildcards(distinctivePart(characters))}%`;
  return sql`and u.search like ${pattern} ${contains(search)}`;
}

function beginsWith(characters: readonly string[]) {
  const search = characters.join('');
  const beginning = characters.slice(0, beginningLength).join('');
  const begins = sql`and starts_with(${withoutId}, (select ${search}::text))`;
  if (characters.length < beginningLength) {
    return sql`and left(u.search, 2) like ${`${escapeWildcards(search)}%`} ${begins}`;
  }
  return sql`and left(u.search, 2) = (select ${beginning}::text) ${begins}`;
}

/** The end of a name, or of the part before the @: many users share a provider, few share the end of a local part. */
function distinctivePart(characters: readonly string[]): string {
  const at = characters.indexOf('@');
  const end = Math.max(at === -1 ? characters.length : at, lookedUpLength);
  const part = characters.slice(Math.max(0, end - lookedUpLength), end).join('');
  return hasTrigram(part) ? part : characters.join('');
}
