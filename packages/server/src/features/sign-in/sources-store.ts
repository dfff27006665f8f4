import { signInSourceMemoryMs, signInSourceRefreshMs } from '@tessera/protocol/limits';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { type Statement, sql } from '../../platform/database/sql.ts';
import type { UserId } from '../accounts/users/index.ts';

/** An address block that a user signs in from. */
export interface SignInSource {
  readonly projectId: string;
  readonly userId: string;
  readonly block: string;
  readonly nowMillis: number;
}

/** Records an address block that a user has signed in from. Writes nothing when the user is deleted. */
export async function recordSignInSource(db: Queryable, source: SignInSource): Promise<void> {
  const { projectId, userId, block, nowMillis } = source;
  await db.query(sql`
    insert into sign_in_sources (project_id, user_id, block, last_success_at_millis)
    select ${projectId}, u.id, ${block}, ${nowMillis}
    from users u where u.project_id = ${projectId} and u.id = ${userId} for key share
    on conflict (project_id, user_id, block) do update set last_success_at_millis = ${nowMillis}
    where sign_in_sources.last_success_at_millis < ${nowMillis - signInSourceRefreshMs}
  `);
}

export async function deleteSignInSources(tx: Transaction, { projectId, userId }: UserId): Promise<void> {
  await tx.query(sql`delete from sign_in_sources where project_id = ${projectId} and user_id = ${userId}`);
}

/** The address block of a caller; undefined without an address. */
interface CallerBlock {
  readonly block: string | undefined;
  readonly nowMillis: number;
}

/** @returns a condition: the user has signed in from the block within `signInSourceMemoryMs`. False without a block */
export function isKnownSource(projectId: string, userId: Statement, caller: CallerBlock): Statement {
  return hasSource(projectId, userId, { ...caller, sinceMillis: caller.nowMillis - signInSourceMemoryMs + 1 });
}

/** @returns a condition: `recordSignInSource` would write nothing. False without a block */
export function isRecordedSource(projectId: string, userId: Statement, caller: CallerBlock): Statement {
  return hasSource(projectId, userId, { ...caller, sinceMillis: caller.nowMillis - signInSourceRefreshMs });
}

function hasSource(
  projectId: string,
  userId: Statement,
  { block, sinceMillis }: CallerBlock & { readonly sinceMillis: number },
): Statement {
  return sql`exists (
    select from sign_in_sources s
    where s.project_id = ${projectId} and s.user_id = ${userId} and s.block = ${block ?? null}
      and s.last_success_at_millis >= ${sinceMillis}
  )`;
}
