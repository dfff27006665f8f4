import { randomUUID } from 'node:crypto';
import type { Queryable, Transaction } from '../../platform/db.ts';
import { sha256 } from '../../platform/secrets.ts';
import { sql } from '../../platform/sql.ts';
import type { ProjectConfig } from './config.ts';

export interface ProjectRow {
  readonly id: string;
  readonly displayName: string;
  readonly config: unknown;
  readonly signingKeyGeneration: number;
}

export type KeyKind = 'publishableClientKey' | 'secretServerKey' | 'superSecretAdminKey';

/** A key of a set, as it is checked: never the key itself. */
export interface KeyRow {
  readonly kind: KeyKind;
  readonly hash: Buffer;
  readonly expiresAtMillis: number;
}

export async function selectProject(db: Queryable, projectId: string): Promise<ProjectRow | undefined> {
  const [row] = await db.query<ProjectRow>(sql`
    select id, display_name as "displayName", config, signing_key_generation as "signingKeyGeneration"
    from projects where id = ${projectId}
  `);
  return row;
}

/** Keys of sets that are not revoked; whether they have expired depends on when it is asked. */
export function selectUsableKeys(db: Queryable, projectId: string): Promise<KeyRow[]> {
  return db.query<KeyRow>(sql`
    select key.kind, key.hash, s.expires_at_millis as "expiresAtMillis"
    from api_key_sets s
    cross join lateral (values
      ('publishableClientKey', s.publishable_client_key_hash),
      ('secretServerKey', s.secret_server_key_hash),
      ('superSecretAdminKey', s.super_secret_admin_key_hash)
    ) key (kind, hash)
    where s.project_id = ${projectId} and s.manually_revoked_at_millis is null and key.hash is not null
  `);
}

export async function insertProject(
  tx: Transaction,
  project: { id: string; displayName: string; description: string; config: object; createdAtMillis: number },
): Promise<void> {
  await tx.query(sql`
    insert into projects (id, display_name, description, config, created_at_millis)
    values (
      ${project.id}, ${project.displayName}, ${project.description}, ${JSON.stringify(project.config)},
      ${project.createdAtMillis}
    )
  `);
}

export async function insertTeamPermission(
  tx: Transaction,
  projectId: string,
  permission: { readonly id: string; readonly containedPermissionIds: readonly string[] },
): Promise<void> {
  await tx.query(sql`
    insert into permission_definitions (project_id, id, scope, contained_permission_ids)
    values (${projectId}, ${permission.id}, 'team', ${[...permission.containedPermissionIds]})
  `);
}

export type KeySetSource = 'project' | 'environment' | 'generated';

export async function insertKeySet(
  tx: Transaction,
  set: {
    projectId: string;
    description: string;
    source: KeySetSource;
    keys: Partial<Record<KeyKind, string>>;
    createdAtMillis: number;
    expiresAtMillis: number;
  },
): Promise<void> {
  const { publishableClientKey, secretServerKey, superSecretAdminKey } = set.keys;
  await tx.query(sql`
    insert into api_key_sets (
      project_id, id, description, source, created_at_millis, expires_at_millis,
      publishable_client_key_hash, publishable_client_key_last_four,
      secret_server_key_hash, secret_server_key_last_four,
      super_secret_admin_key_hash, super_secret_admin_key_last_four
    ) values (
      ${set.projectId}, ${randomUUID()}, ${set.description}, ${set.source}, ${set.createdAtMillis}, ${set.expiresAtMillis},
      ${hashOf(publishableClientKey)}, ${lastFour(publishableClientKey)},
      ${hashOf(secretServerKey)}, ${lastFour(secretServerKey)},
      ${hashOf(superSecretAdminKey)}, ${lastFour(superSecretAdminKey)}
    )
  `);
}

/** Ends the sets of one source except the one with these keys. */
export async function revokeOtherKeySets(
  tx: Transaction,
  {
    projectId,
    source,
    keepHash,
    nowMillis,
  }: { projectId: string; source: KeySetSource; keepHash: Buffer; nowMillis: number },
): Promise<void> {
  await tx.query(sql`
    update api_key_sets set manually_revoked_at_millis = ${nowMillis}
    where project_id = ${projectId} and source = ${source} and manually_revoked_at_millis is null
      and coalesce(secret_server_key_hash, '') <> ${keepHash}
  `);
}

function hashOf(key: string | undefined): Buffer | null {
  return key === undefined ? null : sha256(key);
}

function lastFour(key: string | undefined): string | null {
  return key === undefined ? null : key.slice(-4);
}

/** Last writer wins, setting by setting. */
export async function mergeProjectConfig(
  tx: Transaction,
  projectId: string,
  changes: Partial<ProjectConfig>,
): Promise<void> {
  await tx.query(sql`
    update projects set config = (config::jsonb || ${JSON.stringify(changes)}::jsonb)::json where id = ${projectId}
  `);
}
