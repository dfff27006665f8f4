import { keySetUseStepMs } from '@tessera/protocol/limits';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** A request that a key of a set authenticated. */
export interface KeySetUse {
  readonly projectId: string;
  readonly keySetId: string;
}

/** Writes the last use of key sets, unless another process has written one of the same minute. */
export async function raiseLastUses(
  db: Queryable,
  uses: readonly (KeySetUse & { readonly atMillis: number })[],
): Promise<void> {
  await db.query(sql`
    with used as (
      select s.project_id, s.id, one.at_millis
      from unnest(
        ${uses.map(one => one.projectId)}::text[], ${uses.map(one => one.keySetId)}::uuid[],
        ${uses.map(one => one.atMillis)}::bigint[]
      ) as one (project_id, id, at_millis)
      join api_key_sets s on s.project_id = one.project_id and s.id = one.id
      where coalesce(s.last_used_at_millis, 0) / ${keySetUseStepMs}::bigint < one.at_millis / ${keySetUseStepMs}::bigint
      -- In one order, so that two writers never wait for each other.
      order by s.project_id, s.id for no key update of s
    )
    update api_key_sets s set last_used_at_millis = used.at_millis
    from used where s.project_id = used.project_id and s.id = used.id
  `);
}

/** When each key set of a project was last used, newest set first. */
export function selectLastUses(
  db: Queryable,
  projectId: string,
): Promise<{ readonly id: string; readonly lastUsedAtMillis: number | null }[]> {
  return db.query(sql`
    select id, last_used_at_millis as "lastUsedAtMillis" from api_key_sets
    where project_id = ${projectId} order by created_at_millis desc, id desc
  `);
}
