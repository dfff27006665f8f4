import { randomUUID } from 'node:crypto';
import type { KeyKind } from '../../../core/project.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { onlyRow, type Queryable, type Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** The origin of a key set: the owners of the project, or the installation. */
export type KeySetSource = 'project' | 'environment' | 'generated';

export interface NewKeySet {
  readonly projectId: string;
  readonly description: string;
  readonly source: KeySetSource;
  readonly keys: Partial<Record<KeyKind, string>>;
  readonly createdAtMillis: number;
  readonly expiresAtMillis: number;
}

/** A key set as it is stored, with hashes instead of keys. */
export interface KeySet {
  readonly id: string;
  readonly description: string;
  readonly createdAtMillis: number;
  readonly expiresAtMillis: number;
  readonly manuallyRevokedAtMillis: number | null;
  /** The last four characters of each key; null for a kind that the set does not have. */
  readonly lastFour: Readonly<Record<KeyKind, string | null>>;
}

const columns = sql`
  id, description, created_at_millis as "createdAtMillis", expires_at_millis as "expiresAtMillis",
  manually_revoked_at_millis as "manuallyRevokedAtMillis",
  json_build_object(
    'publishableClientKey', publishable_client_key_last_four,
    'secretServerKey', secret_server_key_last_four,
    'superSecretAdminKey', super_secret_admin_key_last_four
  ) as "lastFour"
`;

export async function insertKeySet(tx: Transaction, set: NewKeySet): Promise<KeySet> {
  const { publishableClientKey, secretServerKey, superSecretAdminKey } = set.keys;
  const rows = await tx.query<KeySet>(sql`
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
    returning ${columns}
  `);
  return onlyRow(rows);
}

/** Returns the newest set first. */
export function selectKeySets(db: Queryable, projectId: string): Promise<KeySet[]> {
  return db.query<KeySet>(sql`
    select ${columns} from api_key_sets where project_id = ${projectId} order by created_at_millis desc, id desc
  `);
}

/** The number of key sets that are not revoked. */
export async function countOpenKeySets(db: Queryable, projectId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from api_key_sets
    where project_id = ${projectId} and manually_revoked_at_millis is null
  `);
  return onlyRow(rows).count;
}

export async function selectKeySet(db: Queryable, projectId: string, id: string): Promise<KeySet | undefined> {
  const [row] = await db.query<KeySet>(
    sql`select ${columns} from api_key_sets where project_id = ${projectId} and id = ${id}`,
  );
  return row;
}

/** Reads a key set and locks it until the transaction ends. */
export async function lockKeySet(tx: Transaction, projectId: string, id: string): Promise<KeySet | undefined> {
  const [row] = await tx.query<KeySet>(
    sql`select ${columns} from api_key_sets where project_id = ${projectId} and id = ${id} for no key update`,
  );
  return row;
}

export async function updateKeySet(tx: Transaction, projectId: string, set: KeySet): Promise<void> {
  const { id, description, manuallyRevokedAtMillis } = set;
  await tx.query(sql`
    update api_key_sets set description = ${description}, manually_revoked_at_millis = ${manuallyRevokedAtMillis}
    where project_id = ${projectId} and id = ${id}
  `);
}

/** Revokes the key sets of one origin. @returns their ids */
export async function revokeKeySets(
  tx: Transaction,
  { projectId, source, nowMillis }: { projectId: string; source: KeySetSource; nowMillis: number },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    update api_key_sets set manually_revoked_at_millis = ${nowMillis}
    where project_id = ${projectId} and source = ${source} and manually_revoked_at_millis is null
    returning id
  `);
  return rows.map(({ id }) => id);
}

function hashOf(key: string | undefined): Buffer | null {
  return key === undefined ? null : sha256(key);
}

function lastFour(key: string | undefined): string | null {
  return key === undefined ? null : key.slice(-4);
}
