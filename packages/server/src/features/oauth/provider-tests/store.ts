import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

export interface ProviderTestRow {
  readonly providerId: string;
  /** Encrypted. */
  readonly outcome: Buffer;
  readonly createdAtMillis: number;
}

export interface NewProviderTest extends ProviderTestRow {
  readonly id: string;
  readonly testerId: string | null;
}

export async function insertProviderTest(db: Queryable, projectId: string, test: NewProviderTest): Promise<void> {
  await db.query(sql`
    insert into oauth_provider_tests (project_id, id, provider_id, tester_id, outcome, created_at_millis)
    values (
      ${projectId}, ${test.id}, ${test.providerId}, ${test.testerId}, ${test.outcome}, ${test.createdAtMillis}
    )
  `);
}

/** A test, for the person who began it; null: for callers with a key. */
export async function selectProviderTest(
  db: Queryable,
  projectId: string,
  { id, testerId, notBeforeMillis }: { id: string; testerId: string | null; notBeforeMillis: number },
): Promise<ProviderTestRow | undefined> {
  const [row] = await db.query<ProviderTestRow>(sql`
    select provider_id as "providerId", outcome, created_at_millis as "createdAtMillis" from oauth_provider_tests
    where project_id = ${projectId} and id = ${id} and tester_id is not distinct from ${testerId}::uuid
      and created_at_millis > ${notBeforeMillis}
  `);
  return row;
}
