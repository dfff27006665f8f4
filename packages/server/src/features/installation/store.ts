import type { Queryable, Transaction } from '../../platform/db.ts';
import { onlyRow } from '../../platform/db.ts';
import { sha256 } from '../../platform/secrets.ts';
import { sql } from '../../platform/sql.ts';
import type { KeyKind } from '../projects/index.ts';

export interface Installation {
  readonly ownerUserId: string | null;
  readonly demoProjectId: string | null;
}

/** Waits for whoever else is working on the installation. */
export async function lockInstallation(tx: Transaction): Promise<Installation> {
  const rows = await tx.query<Installation>(sql`
    select owner_user_id as "ownerUserId", demo_project_id as "demoProjectId" from installation for update
  `);
  return onlyRow(rows);
}

export async function projectExists(db: Queryable, projectId: string): Promise<boolean> {
  const rows = await db.query(sql`select id from projects where id = ${projectId}`);
  return rows.length > 0;
}

export async function setDemoProject(tx: Transaction, projectId: string): Promise<void> {
  await tx.query(sql`update installation set demo_project_id = ${projectId}`);
}

export async function setOwner(tx: Transaction, userId: string, managedProjectIds: readonly string[]): Promise<void> {
  await tx.query(sql`update installation set owner_user_id = ${userId}`);
  await tx.query(sql`
    update users set server_metadata = ${JSON.stringify({ managedProjectIds })}
    where project_id = 'internal' and id = ${userId}
  `);
}

/** Brings settings that come from the environment up to date. */
export async function updateInternalProject(
  tx: Transaction,
  { displayName, config }: { displayName: string; config: object },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update projects set display_name = ${displayName}, config = (config::jsonb || ${JSON.stringify(config)}::jsonb)::json
    where id = 'internal'
      and (display_name <> ${displayName} or config::jsonb || ${JSON.stringify(config)}::jsonb <> config::jsonb)
    returning id
  `);
  return rows.length > 0;
}

/** Whether exactly these keys are a usable set of the project. */
export async function hasKeySet(
  db: Queryable,
  projectId: string,
  keys: Record<KeyKind, string>,
  nowMillis: number,
): Promise<boolean> {
  const rows = await db.query(sql`
    select id from api_key_sets
    where project_id = ${projectId}
      and publishable_client_key_hash = ${sha256(keys.publishableClientKey)}
      and secret_server_key_hash = ${sha256(keys.secretServerKey)}
      and super_secret_admin_key_hash = ${sha256(keys.superSecretAdminKey)}
      and manually_revoked_at_millis is null and expires_at_millis > ${nowMillis}
  `);
  return rows.length > 0;
}
