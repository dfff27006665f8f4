import type { Queryable, Transaction } from '../../platform/db.ts';
import type { EndUserPlace } from '../../platform/geo.ts';
import { sql } from '../../platform/sql.ts';
import type { Activity } from './activity.ts';

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly refreshTokenHash: Buffer;
  readonly isImpersonation: boolean;
  readonly place: EndUserPlace | undefined;
  readonly createdAtMillis: number;
  readonly expiresAtMillis: number;
}

export async function insertSession(tx: Transaction, projectId: string, session: NewSession): Promise<void> {
  await tx.query(sql`
    with opened as (
      insert into sessions (
        project_id, id, user_id, refresh_token_hash, is_impersonation, created_at_millis, expires_at_millis
      ) values (
        ${projectId}, ${session.id}, ${session.userId}, ${session.refreshTokenHash}, ${session.isImpersonation},
        ${session.createdAtMillis}, ${session.expiresAtMillis}
      )
    ), seen as (
      update users set last_active_at_millis = greatest(last_active_at_millis, ${session.createdAtMillis})
      where project_id = ${projectId} and id = ${session.userId}
    )
    insert into events (project_id, kind, user_id, session_id, at_millis, data)
    values (
      ${projectId}, 'activity', ${session.userId}, ${session.id}, ${session.createdAtMillis}, ${placeText(session.place)}
    )
  `);
}

/** The session of a refresh token that is good; undefined for any other token. */
export async function selectSessionOf(
  db: Queryable,
  projectId: string,
  refreshTokenHash: Buffer,
  nowMillis: number,
): Promise<{ sessionId: string; userId: string } | undefined> {
  const [row] = await db.query<{ sessionId: string; userId: string }>(sql`
    select id as "sessionId", user_id as "userId" from sessions
    where project_id = ${projectId} and refresh_token_hash = ${refreshTokenHash} and expires_at_millis > ${nowMillis}
  `);
  return row;
}

export async function insertActivity(db: Queryable, activities: readonly Activity[]): Promise<void> {
  await db.query(sql`
    with used as (
      select project_id, user_id, session_id, at_millis, data::json
      from unnest(
        ${activities.map(one => one.projectId)}::text[], ${activities.map(one => one.userId)}::uuid[],
        ${activities.map(one => one.sessionId)}::uuid[], ${activities.map(one => one.atMillis)}::bigint[],
        ${activities.map(one => placeText(one.place))}::text[]
      ) as one (project_id, user_id, session_id, at_millis, data)
    ), last_used as (
      select project_id, user_id, max(at_millis) as at_millis from used group by project_id, user_id
    ), locked as (
      -- In one order, so that two writers never wait for each other.
      select u.project_id, u.id, l.at_millis
      from last_used l join users u on u.project_id = l.project_id and u.id = l.user_id
      order by u.project_id, u.id for no key update of u
    ), seen as (
      update users u set last_active_at_millis = greatest(u.last_active_at_millis, l.at_millis)
      from locked l where u.project_id = l.project_id and u.id = l.id
    )
    insert into events (project_id, kind, user_id, session_id, at_millis, data)
    select project_id, 'activity', user_id, session_id, at_millis, data from used
  `);
}

export async function deleteSession(db: Queryable, projectId: string, sessionId: string): Promise<boolean> {
  const rows = await db.query(
    sql`delete from sessions where project_id = ${projectId} and id = ${sessionId} returning id`,
  );
  return rows.length > 0;
}

export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  readonly isImpersonation: boolean;
  readonly createdAtMillis: number;
  readonly lastUsedAtMillis: number | null;
  readonly place: EndUserPlace | null;
}

/** Sessions that still live, newest first, each with its newest activity. */
export function selectSessions(
  db: Queryable,
  projectId: string,
  { userId, nowMillis, withImpersonation }: { userId: string; nowMillis: number; withImpersonation: boolean },
): Promise<SessionRow[]> {
  return db.query<SessionRow>(sql`
    select s.id, s.user_id as "userId", s.is_impersonation as "isImpersonation", s.created_at_millis as "createdAtMillis",
      e.at_millis as "lastUsedAtMillis", e.data as place
    from sessions s
    left join lateral (
      select at_millis, data from events e
      where e.project_id = ${projectId} and e.session_id = s.id and e.kind = 'activity'
      order by e.at_millis desc, e.id desc limit 1
    ) e on true
    where s.project_id = ${projectId} and s.user_id = ${userId} and s.expires_at_millis > ${nowMillis}
      and (${withImpersonation} or not s.is_impersonation)
    order by s.created_at_millis desc, s.id
  `);
}

export async function selectSessionOwner(
  db: Queryable,
  projectId: string,
  sessionId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ userId: string }>(sql`
    select user_id as "userId" from sessions where project_id = ${projectId} and id = ${sessionId}
  `);
  return row?.userId;
}

/** Ends the sessions of a user, except the one of a refresh token if that is given. */
export async function deleteSessions(
  db: Queryable,
  projectId: string,
  userId: string,
  exceptHash: Buffer | null,
): Promise<void> {
  await db.query(sql`
    delete from sessions where project_id = ${projectId} and user_id = ${userId}
      and (${exceptHash}::bytea is null or refresh_token_hash <> ${exceptHash})
  `);
}

function placeText(place: EndUserPlace | undefined): string | null {
  return place === undefined ? null : JSON.stringify(place);
}
