import type { Project } from '../../../core/project.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { type FoundSession, withinPolicy } from '../store.ts';

/** An exchange of the current refresh token of a session for a new one. */
interface TokenExchange {
  readonly fromHash: Buffer;
  readonly toHash: Buffer;
  /** Whether the old token is a successor that is replaced before its first use. */
  readonly isWithdrawn: boolean;
  readonly nowMillis: number;
}

/** One conditional update: of concurrent callers, including one that uses the old token, one gets true. */
export async function exchangeRefreshToken(
  db: Queryable,
  projectId: string,
  { fromHash, toHash, isWithdrawn, nowMillis }: TokenExchange,
): Promise<boolean> {
  const rows = await db.query(sql`
    with exchanged as (
      update sessions set refresh_token_hash = ${toHash}
      where project_id = ${projectId} and refresh_token_hash = ${fromHash}
      returning id
    )
    insert into rotated_refresh_tokens (project_id, token_hash, session_id, rotated_at_millis, is_withdrawn)
    select ${projectId}, ${fromHash}, id, ${nowMillis}, ${isWithdrawn} from exchanged returning session_id
  `);
  return rows.length > 0;
}

export interface RotatedToken extends FoundSession {
  readonly rotatedAtMillis: number;
  readonly isWithdrawn: boolean;
  /** The hash of the current token of the session. */
  readonly currentHash: Buffer;
}

/** The exchange of a refresh token whose session is open. */
export async function selectRotation(
  db: Queryable,
  project: Pick<Project, 'id' | 'config'>,
  tokenHash: Buffer,
  nowMillis: number,
): Promise<RotatedToken | undefined> {
  const [row] = await db.query<RotatedToken>(sql`
    select s.id as "sessionId", s.user_id as "userId", s.is_impersonation as "isImpersonation", s.opener_id as "openerId",
      s.opener_session_id as "openerSessionId", s.created_at_millis as "createdAtMillis",
      s.expires_at_millis as "expiresAtMillis", s.refresh_token_hash as "currentHash",
      r.rotated_at_millis as "rotatedAtMillis", r.is_withdrawn as "isWithdrawn"
    from rotated_refresh_tokens r join sessions s on s.project_id = ${project.id} and s.id = r.session_id
    where r.project_id = ${project.id} and r.token_hash = ${tokenHash}
      and s.expires_at_millis > ${nowMillis} ${withinPolicy(project, nowMillis)}
  `);
  return row;
}
