import type { PermissionScope } from '@tessera/protocol';
import type { KeyKind } from '../../core/project.ts';
import { onlyRow, type Queryable, type Transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

export interface ProjectRow {
  readonly id: string;
  readonly displayName: string;
  readonly config: unknown;
  readonly signingKeyGeneration: number;
}

/** A key of a set for verification: a hash, never the key itself. */
export interface KeyRow {
  readonly kind: KeyKind;
  readonly hash: Buffer;
  readonly setId: string;
  readonly expiresAtMillis: number;
}

/** A project with the values that its owners set. */
export interface ProjectRecord {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly isProductionMode: boolean;
  /** The stored configuration, without unset settings. */
  readonly config: object;
  readonly createdAtMillis: number;
}

export async function selectProject(db: Queryable, projectId: string): Promise<ProjectRow | undefined> {
  const [row] = await db.query<ProjectRow>(sql`
    select id, display_name as "displayName", config, signing_key_generation as "signingKeyGeneration"
    from projects where id = ${projectId} and deleted_at_millis is null
  `);
  return row;
}

const recordColumns = sql`
  id, display_name as "displayName", description, is_production_mode as "isProductionMode", config,
  created_at_millis as "createdAtMillis"
`;

/** In no defined order, without deleted projects. */
export function selectProjectRecords(db: Queryable, projectIds: readonly string[]): Promise<ProjectRecord[]> {
  return db.query<ProjectRecord>(sql`
    select ${recordColumns} from projects where id = any(${[...projectIds]}) and deleted_at_millis is null
  `);
}

/** Reads a project and locks it until the transaction ends, so that changes of its settings run one after the other. */
export async function lockProjectRecord(tx: Transaction, projectId: string): Promise<ProjectRecord | undefined> {
  const [row] = await tx.query<ProjectRecord>(sql`
    select ${recordColumns} from projects where id = ${projectId} and deleted_at_millis is null for no key update
  `);
  return row;
}

export async function updateProjectRecord(tx: Transaction, project: ProjectRecord): Promise<void> {
  const { id, displayName, description, isProductionMode, config } = project;
  await tx.query(sql`
    update projects set display_name = ${displayName}, description = ${description},
      is_production_mode = ${isProductionMode}, config = ${JSON.stringify(config)}
    where id = ${id}
  `);
}

/** The permission definitions of the project; system permissions are not stored. */
export function selectPermissionScopes(
  db: Queryable,
  projectId: string,
): Promise<{ id: string; scope: PermissionScope }[]> {
  return db.query(sql`select id, scope from permission_definitions where project_id = ${projectId}`);
}

/** The keys of sets that are not revoked. The caller checks the expiry. */
export function selectUsableKeys(db: Queryable, projectId: string): Promise<KeyRow[]> {
  return db.query<KeyRow>(sql`
    select key.kind, key.hash, s.id as "setId", s.expires_at_millis as "expiresAtMillis"
    from api_key_sets s
    cross join lateral (values
      ('publishableClientKey', s.publishable_client_key_hash),
      ('secretServerKey', s.secret_server_key_hash),
      ('superSecretAdminKey', s.super_secret_admin_key_hash)
    ) key (kind, hash)
    where s.project_id = ${projectId} and s.manually_revoked_at_millis is null and key.hash is not null
  `);
}

export async function insertProject(tx: Transaction, project: ProjectRecord): Promise<void> {
  await tx.query(sql`
    insert into projects (id, display_name, description, is_production_mode, config, created_at_millis)
    values (
      ${project.id}, ${project.displayName}, ${project.description}, ${project.isProductionMode},
      ${JSON.stringify(project.config)}, ${project.createdAtMillis}
    )
  `);
}

/** The ids of all projects with encrypted settings, including projects that are being deleted. */
export async function selectIdsWithSealedConfig(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select id from projects where config::text like '%"sealed%' order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Reads a configuration and locks the project. @returns null when the project does not exist */
export async function lockConfig(tx: Transaction, projectId: string): Promise<unknown> {
  const [row] = await tx.query<{ config: unknown }>(sql`
    select config from projects where id = ${projectId} for no key update
  `);
  return row?.config ?? null;
}

export async function updateConfig(tx: Transaction, projectId: string, config: unknown): Promise<void> {
  await tx.query(sql`update projects set config = ${JSON.stringify(config)} where id = ${projectId}`);
}

/**
 * Raises the generation of a project's signing keys, unless the last rotation is too recent.
 *
 * @returns the new generation, or the time of the last rotation
 */
export async function raiseSigningKeys(
  tx: Transaction,
  projectId: string,
  { nowMillis, notAfterMillis }: { nowMillis: number; notAfterMillis: number },
): Promise<{ generation: number } | { rotatedAtMillis: number }> {
  const [raised] = await tx.query<{ generation: number }>(sql`
    update projects set signing_key_generation = signing_key_generation + 1, signing_key_rotated_at_millis = ${nowMillis}
    where id = ${projectId}
      and (signing_key_rotated_at_millis is null or signing_key_rotated_at_millis <= ${notAfterMillis})
    returning signing_key_generation as generation
  `);
  if (raised !== undefined) return raised;
  // The key was rotated too recently, so the time is not null here.
  const rows = await tx.query<{ rotatedAtMillis: number }>(sql`
    select coalesce(signing_key_rotated_at_millis, 0) as "rotatedAtMillis" from projects where id = ${projectId}
  `);
  return onlyRow(rows);
}

/**
 * Starts a change of permission definitions: locks the project, and increments the generation, so that all processes
 * drop their cached definitions.
 *
 * @returns the stored configuration of the project; undefined when the project does not exist
 */
export async function raisePermissionGeneration(tx: Transaction, projectId: string): Promise<object | undefined> {
  const [row] = await tx.query<{ config: object }>(sql`
    update projects set permission_generation = permission_generation + 1 where id = ${projectId} returning config
  `);
  return row?.config;
}
