import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** A caught email, encrypted. */
export interface CaughtRow {
  readonly id: string;
  readonly projectId: string;
  readonly encrypted: Buffer;
  readonly caughtAtMillis: number;
}

/** An email that is delivered twice is stored once. */
export async function insertCaught(
  db: Queryable,
  { projectId, id, encrypted, caughtAtMillis }: CaughtRow,
): Promise<void> {
  await db.query(sql`
    insert into caught_mails (project_id, id, message, caught_at_millis)
    values (${projectId}, ${id}, ${encrypted}, ${caughtAtMillis})
    on conflict (project_id, id) do nothing
  `);
}

/** Keeps the newest emails. */
export async function deleteOldCaught(db: Queryable, kept: number): Promise<void> {
  await db.query(sql`
    delete from caught_mails where (project_id, id) in (
      select project_id, id from caught_mails order by caught_at_millis desc, id offset ${kept}
    )
  `);
}

export function selectCaught(db: Queryable): Promise<CaughtRow[]> {
  return db.query<CaughtRow>(sql`
    select id, project_id as "projectId", message as encrypted, caught_at_millis as "caughtAtMillis"
    from caught_mails order by caught_at_millis desc, id
  `);
}

export function selectOneCaught(db: Queryable, id: string): Promise<CaughtRow[]> {
  return db.query<CaughtRow>(sql`
    select id, project_id as "projectId", message as encrypted, caught_at_millis as "caughtAtMillis"
    from caught_mails where id = ${id}
  `);
}
