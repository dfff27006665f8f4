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
