import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { EarlierRequest } from './rules.ts';

export interface KeyRow {
  readonly projectId: string;
  readonly scopeHash: Buffer;
  readonly requestHash: Buffer;
  readonly startedAtMillis: number;
}

/** @returns false when the key exists */
export async function insertKey(db: Queryable, row: KeyRow): Promise<boolean> {
  const inserted = await db.query(sql`
    insert into idempotency_keys (project_id, scope_hash, request_hash, started_at_millis)
    values (${row.projectId}, ${row.scopeHash}, ${row.requestHash}, ${row.startedAtMillis})
    on conflict do nothing
    returning project_id
  `);
  return inserted.length > 0;
}

export async function selectKey(db: Queryable, { projectId, scopeHash }: KeyRow): Promise<EarlierRequest | undefined> {
  const [row] = await db.query<EarlierRequest>(sql`
    select request_hash as "requestHash", started_at_millis as "startedAtMillis", response
    from idempotency_keys where project_id = ${projectId} and scope_hash = ${scopeHash}
  `);
  return row;
}

export async function storeResponse(db: Queryable, { projectId, scopeHash }: KeyRow, response: Buffer): Promise<void> {
  await db.query(sql`
    update idempotency_keys set response = ${response} where project_id = ${projectId} and scope_hash = ${scopeHash}
  `);
}

/** Deletes the row of this attempt: a late call does not delete the row of the next attempt. */
export async function deleteKey(db: Queryable, { projectId, scopeHash, startedAtMillis }: KeyRow): Promise<void> {
  await db.query(sql`
    delete from idempotency_keys
    where project_id = ${projectId} and scope_hash = ${scopeHash}
      and started_at_millis = ${startedAtMillis} and response is null
  `);
}
