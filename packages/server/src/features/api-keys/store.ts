import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { ownerIsSuspended } from '../accounts/users/row/index.ts';
import type { KeyState, Owner } from './rules.ts';

/** A stored key, without its secret. */
export interface ApiKey extends KeyState {
  readonly projectId: string;
  readonly id: string;
  readonly description: string;
  readonly lastFour: string;
  readonly createdAtMillis: number;
  readonly lastUsedAtMillis: number | null;
}

const columns = sql`
  project_id as "projectId",
  id,
  case when user_id is null
    then json_build_object('kind', 'team', 'id', team_id)
    else json_build_object('kind', 'user', 'id', user_id)
  end as owner,
  description,
  last_four as "lastFour",
  is_public as "isPublic",
  created_at_millis as "createdAtMillis",
  expires_at_millis as "expiresAtMillis",
  manually_revoked_at_millis as "manuallyRevokedAtMillis",
  last_used_at_millis as "lastUsedAtMillis",
  scopes
`;

export interface NewApiKey {
  readonly id: string;
  readonly owner: Owner;
  readonly description: string;
  readonly secretHash: Buffer;
  readonly lastFour: string;
  readonly isPublic: boolean;
  readonly createdAtMillis: number;
  readonly expiresAtMillis: number | null;
  /** Null: no limit. */
  readonly scopes: readonly string[] | null;
}

/** @returns undefined when the owner does not exist */
export async function insertKey(db: Queryable, projectId: string, key: NewApiKey): Promise<ApiKey | undefined> {
  const { owner } = key;
  // The lock makes a concurrent deletion of the owner wait, so that the insert cannot fail on the foreign key.
  const from =
    owner.kind === 'user'
      ? sql`u.id, null from users u where u.project_id = ${projectId} and u.id = ${owner.id} for key share`
      : sql`null, t.id from teams t where t.project_id = ${projectId} and t.id = ${owner.id} for key share`;
  const [row] = await db.query<ApiKey>(sql`
    insert into api_keys (
      project_id, id, description, secret_hash, last_four, is_public, created_at_millis, expires_at_millis, scopes,
      user_id, team_id
    )
    select ${projectId}, ${key.id}::uuid, ${key.description}, ${key.secretHash}::bytea, ${key.lastFour}, ${key.isPublic}::boolean,
      ${key.createdAtMillis}::bigint, ${key.expiresAtMillis}::bigint, ${key.scopes && [...key.scopes]}::text[], ${from}
    returning ${columns}
  `);
  return row;
}

/** Newest first. */
export function selectKeysOf(db: Queryable, projectId: string, owner: Owner): Promise<ApiKey[]> {
  const isOwned = owner.kind === 'user' ? sql`user_id = ${owner.id}` : sql`team_id = ${owner.id}`;
  return db.query<ApiKey>(sql`
    select ${columns} from api_keys where project_id = ${projectId} and ${isOwned}
    order by created_at_millis desc, id desc
  `);
}

export async function selectKey(db: Queryable, projectId: string, id: string): Promise<ApiKey | undefined> {
  const [row] = await db.query<ApiKey>(
    sql`select ${columns} from api_keys where project_id = ${projectId} and id = ${id}`,
  );
  return row;
}

/** The key with this secret, of any project that is not being deleted. */
export async function selectLeakedKey(db: Queryable, secretHash: Buffer): Promise<ApiKey | undefined> {
  const [row] = await db.query<ApiKey>(sql`
    select ${columns} from api_keys k where secret_hash = ${secretHash}
      and exists (select from projects p where p.id = k.project_id and p.deleted_at_millis is null)
  `);
  return row;
}

/** A secret that a caller of a project presents. */
export interface PresentedSecret {
  readonly projectId: string;
  readonly secretHash: Buffer;
}

/**
 * The keys of several requests, in the order of the requests, with undefined for an unknown secret. A key of a user who
 * has deleted the account does not work while the user can still keep it, nor does the key of a suspended user.
 */
export async function selectKeysBySecret(
  db: Queryable,
  asked: readonly PresentedSecret[],
): Promise<(ApiKey | undefined)[]> {
  // One lookup in a unique index for each request, whatever the planner estimates for the table.
  const rows = await db.query<ApiKey & { place: number }>(sql`
    select asked.place, k.*
    from unnest(
      (select ${asked.map(one => one.projectId)}::text[]), (select ${asked.map(one => one.secretHash)}::bytea[])
    ) with ordinality as asked (project_id, secret_hash, place)
    cross join lateral (
      select ${columns} from api_keys k where k.secret_hash = asked.secret_hash and k.project_id = asked.project_id
        and not exists (select from account_deletions d where d.project_id = k.project_id and d.user_id = k.user_id)
        and not ${ownerIsSuspended}
      limit 1
    ) k
  `);
  const found = new Array<ApiKey | undefined>(asked.length).fill(undefined);
  for (const row of rows) found[row.place - 1] = row;
  return found;
}

export interface KeyChanges {
  readonly description?: string | undefined;
  readonly expiresAtMillis?: number | null | undefined;
  /** A revoked key keeps the time of its first revocation. */
  readonly revokedAtMillis?: number | undefined;
}

/** @returns undefined when the key does not exist */
export async function updateKey(
  db: Queryable,
  projectId: string,
  id: string,
  { description, expiresAtMillis, revokedAtMillis }: KeyChanges,
): Promise<ApiKey | undefined> {
  const [row] = await db.query<ApiKey>(sql`
    update api_keys set
      description = coalesce(${description ?? null}, description),
      expires_at_millis = case when ${expiresAtMillis !== undefined}::boolean
        then ${expiresAtMillis ?? null}::bigint else expires_at_millis end,
      manually_revoked_at_millis = coalesce(manually_revoked_at_millis, ${revokedAtMillis ?? null}::bigint)
    where project_id = ${projectId} and id = ${id}
    returning ${columns}
  `);
  return row;
}

/** @returns false when it was already revoked: of concurrent callers one gets true */
export async function revokeOnce(tx: Transaction, projectId: string, id: string, nowMillis: number): Promise<boolean> {
  const rows = await tx.query(sql`
    update api_keys set manually_revoked_at_millis = ${nowMillis}
    where project_id = ${projectId} and id = ${id} and manually_revoked_at_millis is null
    returning id
  `);
  return rows.length > 0;
}

/** Skipped when a use after `sinceMillis` is recorded: of concurrent callers one writes. */
export async function recordUse(
  db: Queryable,
  projectId: string,
  id: string,
  { nowMillis, sinceMillis }: { nowMillis: number; sinceMillis: number },
): Promise<void> {
  await db.query(sql`
    update api_keys set last_used_at_millis = ${nowMillis}
    where project_id = ${projectId} and id = ${id}
      and (last_used_at_millis is null or last_used_at_millis <= ${sinceMillis})
  `);
}

export interface PrimaryEmail {
  readonly userId: string;
  readonly address: string;
  readonly isVerified: boolean;
}

/** The primary addresses of those users who have one. */
export function selectPrimaryEmails(
  db: Queryable,
  projectId: string,
  userIds: readonly string[],
): Promise<PrimaryEmail[]> {
  return db.query<PrimaryEmail>(sql`
    select user_id as "userId", value as address, is_verified as "isVerified" from contact_channels
    where project_id = ${projectId} and user_id = any(${[...userIds]}::uuid[]) and type = 'email' and is_primary
    order by value
  `);
}

/** Deletes all keys of a user. */
export async function deleteUserKeys(
  tx: Transaction,
  { projectId, userId }: { readonly projectId: string; readonly userId: string },
): Promise<void> {
  await tx.query(sql`delete from api_keys where project_id = ${projectId} and user_id = ${userId}`);
}
