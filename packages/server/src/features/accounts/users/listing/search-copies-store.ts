import type { Transaction } from '../../../../platform/database/database.ts';
import { sql } from '../../../../platform/database/sql.ts';
import { searchText } from '../store.ts';

/**
 * Adds the copy to the search texts of users of all projects that have none. It never waits for a lock, so it is in no
 * deadlock with a request.
 *
 * @returns the number of users, at most `atMost`
 */
export async function insertSearchCopies(tx: Transaction, atMost: number): Promise<number> {
  const users = await tx.query<{ projectId: string; id: string; search: string }>(sql`
    select project_id as "projectId", id, search from users
    where search ~ '[\\u0080-\\u1fff\\u3099\\u309a]' and position(repeat(chr(10), 2) in search) = 0
    limit ${atMost} for no key update skip locked
  `);
  const texts = users.map(({ id, search }) => searchText(id, search.split('\n').slice(0, -1)));
  await tx.query(sql`
    update users u set search = new.search
    from unnest(
      ${users.map(user => user.projectId)}::text[], ${users.map(user => user.id)}::uuid[], ${texts}::text[]
    ) as new (project_id, id, search)
    where u.project_id = new.project_id and u.id = new.id
  `);
  return users.length;
}
