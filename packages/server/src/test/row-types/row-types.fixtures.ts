import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** Queries with true and false row types, which the check of row types must tell apart. */
export const queries = {
  true: (db: Queryable) =>
    db.query<{ id: string; displayName: string | null; isAnonymous: boolean; signedUpAtMillis: number }>(sql`
      select id, display_name as "displayName", is_anonymous as "isAnonymous", signed_up_at_millis as "signedUpAtMillis"
      from users where project_id = ${'p'} ${sql`and id = ${'u'}`}
    `),
  wrongType: (db: Queryable) =>
    db.query<{ signedUpAtMillis: string }>(sql`select signed_up_at_millis as "signedUpAtMillis" from users`),
  missingColumn: (db: Queryable) => db.query<{ id: string; email: string }>(sql`select id from users`),
  unnamedColumn: (db: Queryable) => db.query<{ id: string }>(sql`select id, is_anonymous from users`),
  missingNull: (db: Queryable) =>
    db.query<{ displayName: string }>(sql`select display_name as "displayName" from users`),
  refused: (db: Queryable) => db.query<{ id: string }>(sql`select id from no_such_table`),
};
