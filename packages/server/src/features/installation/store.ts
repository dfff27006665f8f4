import type { KeyKind } from '../../core/project.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { onlyRow } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

export interface Installation {
  readonly ownerUserId: string | null;
  readonly demoProjectId: string | null;
  /** Encrypted under the installation's secret; null before the first start. */
  readonly secretCheck: Buffer | null;
}

const installation = sql`
  select owner_user_id as "ownerUserId", demo_project_id as "demoProjectId", secret_check as "secretCheck"
  from installation
`;

/** Waits until other processes have finished their work on the installation. */
export async function lockInstallation(tx: Transaction): Promise<Installation> {
  const rows = await tx.query<Installation>(sql`${installation} for update`);
  return onlyRow(rows);
}

export async function selectInstallation(db: Queryable): Promise<Installation> {
  const rows = await db.query<Installation>(installation);
  return onlyRow(rows);
}

export async function projectExists(db: Queryable, projectId: string): Promise<boolean> {
  const rows = await db.query(sql`select id from projects where id = ${projectId} and deleted_at_millis is null`);
  return rows.length > 0;
}

/** Whether the providers of a project were ever set, even to an empty list. */
export async function hasOAuthProviders(db: Queryable, projectId: string): Promise<boolean> {
  const rows = await db.query(
    sql`select id from projects where id = ${projectId} and config::jsonb ? 'oauthProviders'`,
  );
  return rows.length > 0;
}

export async function setDemoProject(tx: Transaction, projectId: string): Promise<void> {
  await tx.query(sql`update installation set demo_project_id = ${projectId}`);
}

export async function setOwner(tx: Transaction, userId: string): Promise<void> {
  await tx.query(sql`update installation set owner_user_id = ${userId}`);
}

export async function setSecretCheck(tx: Transaction, check: Buffer): Promise<void> {
  await tx.query(sql`update installation set secret_check = ${check}`);
}

/** Whether the project has a usable key set that a start generated. */
export async function hasGeneratedKeySet(db: Queryable, projectId: string, nowMillis: number): Promise<boolean> {
  const rows = await db.query(sql`
    select id from api_key_sets
    where project_id = ${projectId} and source = 'generated'
      and manually_revoked_at_millis is null and expires_at_millis > ${nowMillis}
    limit 1
  `);
  return rows.length > 0;
}

/** Whether exactly these keys are a usable key set of the project. */
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
