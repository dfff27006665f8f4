import type { PermissionScope } from '@tessera/protocol';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** A permission definition of the project; system permissions are not stored. */
export interface DefinitionRow {
  readonly id: string;
  readonly scope: PermissionScope;
  readonly description: string;
  readonly containedPermissionIds: readonly string[];
}

/** Rows of a query that also reads the generation of the definitions. */
export interface GrantsAt<Row> {
  readonly generation: number;
  readonly rows: readonly Row[];
}

export function selectDefinitions(db: Queryable, projectId: string): Promise<DefinitionRow[]> {
  // As JSON: the driver takes several times as long for the elements of an array.
  return db.query<DefinitionRow>(sql`
    select id, scope, description, to_json(contained_permission_ids) as "containedPermissionIds"
    from permission_definitions where project_id = ${projectId}
  `);
}

/** The definitions and their generation, in one statement, so that both are of the same moment. */
export async function selectDefinitionsAt(
  db: Queryable,
  projectId: string,
): Promise<{ readonly generation: number; readonly rows: readonly DefinitionRow[] }> {
  const [project] = await db.query<{ generation: number; rows: DefinitionRow[] }>(sql`
    select p.permission_generation as generation, array(
      select json_build_object(
        'id', d.id, 'scope', d.scope, 'description', d.description,
        'containedPermissionIds', d.contained_permission_ids
      )
      from permission_definitions d where d.project_id = p.id
    ) as rows
    from projects p where p.id = ${projectId}
  `);
  return project ?? { generation: 0, rows: [] };
}

export async function insertDefinition(tx: Transaction, projectId: string, row: DefinitionRow): Promise<void> {
  await tx.query(sql`
    insert into permission_definitions (project_id, id, scope, description, contained_permission_ids)
    values (${projectId}, ${row.id}, ${row.scope}, ${row.description}, ${[...row.containedPermissionIds]})
  `);
}

/** Updates a definition, also under a new id, which must be free. */
export async function updateDefinition(
  tx: Transaction,
  projectId: string,
  { id, to }: { id: string; to: DefinitionRow },
): Promise<void> {
  await tx.query(sql`
    update permission_definitions
    set id = ${to.id}, description = ${to.description}, contained_permission_ids = ${[...to.containedPermissionIds]}
    where project_id = ${projectId} and id = ${id}
  `);
}

interface UserRange {
  readonly firstId: string;
  readonly lastId: string;
}

/** Ids of users are random, so each range has a sixteenth of the users. */
const userRanges: readonly UserRange[] = [...'0123456789abcdef'].map(digit => ({
  firstId: `${digit}0000000-0000-0000-0000-000000000000`,
  lastId: `${digit}fffffff-ffff-ffff-ffff-ffffffffffff`,
}));

interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Replaces an id in all definitions that contain it and in all grants of it. Each statement has the time of a request,
 * which is too short for the grants of hundreds of thousands of users, so the users are divided among several ones.
 */
export async function renameInReferences(tx: Transaction, projectId: string, { from, to }: Rename): Promise<void> {
  await tx.query(sql`
    update permission_definitions set contained_permission_ids = array_replace(contained_permission_ids, ${from}, ${to})
    where project_id = ${projectId} and ${from} = any(contained_permission_ids)
  `);
  for (const users of userRanges) {
    await renameTeamGrants(tx, projectId, { from, to, users });
    await renameProjectGrants(tx, projectId, { from, to, users });
  }
}

async function renameTeamGrants(
  tx: Transaction,
  projectId: string,
  { from, to, users }: Rename & { readonly users: UserRange },
): Promise<void> {
  await tx.query(sql`
    with renamed as (
      delete from team_permissions where project_id = ${projectId} and permission_id = ${from}
        and user_id between ${users.firstId} and ${users.lastId}
      returning team_id, user_id
    )
    insert into team_permissions (project_id, team_id, user_id, permission_id)
    select ${projectId}, team_id, user_id, ${to} from renamed
    on conflict do nothing
  `);
}

async function renameProjectGrants(
  tx: Transaction,
  projectId: string,
  { from, to, users }: Rename & { readonly users: UserRange },
): Promise<void> {
  await tx.query(sql`
    with renamed as (
      delete from project_permissions where project_id = ${projectId} and permission_id = ${from}
        and user_id between ${users.firstId} and ${users.lastId}
      returning user_id
    )
    insert into project_permissions (project_id, user_id, permission_id)
    select ${projectId}, user_id, ${to} from renamed
    on conflict do nothing
  `);
}

/** Deletes a definition, its grants, and the references of definitions that contain it. */
export async function deleteDefinition(tx: Transaction, projectId: string, id: string): Promise<void> {
  // Runs first, because it waits for uncommitted grants.
  await tx.query(sql`delete from permission_definitions where project_id = ${projectId} and id = ${id}`);
  await tx.query(sql`
    update permission_definitions set contained_permission_ids = array_remove(contained_permission_ids, ${id})
    where project_id = ${projectId} and ${id} = any(contained_permission_ids)
  `);
  await tx.query(sql`delete from team_permissions where project_id = ${projectId} and permission_id = ${id}`);
  await tx.query(sql`delete from project_permissions where project_id = ${projectId} and permission_id = ${id}`);
}

/**
 * Keeps all definitions until the transaction ends: `raisePermissionGeneration`, the first statement of their changes, waits.
 * Taken before all other locks, as by their changes.
 */
export async function holdDefinitions(tx: Transaction, projectId: string): Promise<void> {
  await tx.query(sql`select id from projects where id = ${projectId} for share`);
}

/** Reads the scope of a definition and locks it until the transaction ends. */
export async function lockScope(tx: Transaction, projectId: string, id: string): Promise<PermissionScope | undefined> {
  const [row] = await tx.query<{ scope: PermissionScope }>(
    sql`select scope from permission_definitions where project_id = ${projectId} and id = ${id} for key share`,
  );
  return row?.scope;
}
