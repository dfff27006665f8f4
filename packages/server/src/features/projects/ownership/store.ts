import type { Json } from '@tessera/protocol';
import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/**
 * A user of `internal`, whose server metadata lists the projects that the user owns
 * (docs/contract/projects.md#project-lifecycle).
 */
export interface OwnerRow {
  readonly id: string;
  readonly serverMetadata: Json;
}

export async function selectOwner(db: Queryable, userId: string): Promise<OwnerRow | undefined> {
  const [row] = await db.query<OwnerRow>(sql`
    select id, server_metadata as "serverMetadata" from users where project_id = 'internal' and id = ${userId}
  `);
  return row;
}

/** Locks the users whose metadata contains the id, in one order, so that two deletions cannot deadlock. */
export function lockOwnersOf(tx: Transaction, projectId: string): Promise<OwnerRow[]> {
  return tx.query<OwnerRow>(sql`
    select id, server_metadata as "serverMetadata" from users
    where project_id = 'internal' and position(${projectId} in server_metadata::text) > 0
    order by id for no key update
  `);
}

/** One owner of each of these projects that has one, always the same. It reads all users of `internal` once. */
export async function selectFirstOwners(
  db: Queryable,
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ projectId: string; ownerId: string }>(sql`
    select owned.id as "projectId", min(u.id::text) as "ownerId"
    from users u
    cross join lateral jsonb_array_elements_text(
      case jsonb_typeof(u.server_metadata::jsonb -> 'managedProjectIds')
        when 'array' then u.server_metadata::jsonb -> 'managedProjectIds' else '[]'
      end
    ) as owned (id)
    where u.project_id = 'internal' and owned.id = any(${[...projectIds]})
    group by owned.id
  `);
  return new Map(rows.map(({ projectId, ownerId }) => [projectId, ownerId]));
}

/** An owner with a primary email address, an account in `internal`. */
export interface AddressedOwner {
  readonly userId: string;
  readonly address: string;
  /** An unverified address may belong to another person. */
  readonly isVerified: boolean;
}

/**
 * Owners with a primary email address who are not suspended, of the projects that exist, in the order of addresses. Of
 * several owners with one address it is the one who has verified it.
 */
export async function selectAddressedOwners(
  db: Queryable,
  projectIds: readonly string[],
): Promise<Map<string, { displayName: string; owners: AddressedOwner[] }>> {
  const projects = await db.query<{ id: string; displayName: string }>(sql`
    select id, display_name as "displayName" from projects
    where id = any(${[...projectIds]}) and deleted_at_millis is null
    order by id
  `);
  // Owners are users of the project `internal`: no statement joins rows of two projects.
  const owners = await db.query<AddressedOwner & { projectId: string }>(sql`
    select distinct on (owned.id, c.value) owned.id as "projectId", u.id as "userId", c.value as address,
      c.is_verified as "isVerified"
    from unnest(${projects.map(({ id }) => id)}::text[]) as owned (id)
    join users u on u.project_id = 'internal' and u.suspended_at_millis is null
      and u.server_metadata::jsonb -> 'managedProjectIds' @> jsonb_build_array(owned.id)
    join contact_channels c
      on c.project_id = 'internal' and c.user_id = u.id and c.type = 'email' and c.is_primary
    order by owned.id, c.value, c.is_verified desc, u.id
  `);
  const nameOf = new Map(projects.map(({ id, displayName }) => [id, displayName]));
  const addressed = new Map<string, { displayName: string; owners: AddressedOwner[] }>();
  for (const { projectId, ...owner } of owners) {
    const known = addressed.get(projectId) ?? { displayName: nameOf.get(projectId) ?? '', owners: [] };
    known.owners.push(owner);
    addressed.set(projectId, known);
  }
  return addressed;
}
