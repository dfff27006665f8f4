import { sessionsPerUser } from '@tessera/protocol/limits';
import type { StoredAuditEvent } from '../../core/audit-event.ts';
import type { Project } from '../../core/project.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { type Statement, sql } from '../../platform/database/sql.ts';
import type { EndUserPlace } from '../../platform/network/geo.ts';
import { findSessionUser, recordSessionActivity, type Unchanged } from '../accounts/users/row/index.ts';
import { auditInsert } from '../audit/index.ts';
import type { CallerPlace } from './activity/caller-place.ts';
import { lastUse, placeText } from './activity/store.ts';

const unbounded = sql``;

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly refreshTokenHash: Buffer;
  readonly isImpersonation: boolean;
  /** A server or an admin opened it, and not the user. */
  readonly isOpenedForUser: boolean;
  /** The person who opened it; undefined for a sign-in, and for a session that a key opened. */
  readonly opener: { readonly id: string; readonly sessionId: string | null } | undefined;
  /** Undefined when it is not the place of the user. */
  readonly place: CallerPlace | undefined;
  readonly createdAtMillis: number;
  readonly expiresAtMillis: number;
  readonly event: StoredAuditEvent;
}

/**
 * Inserts a session, its activity and the audit event. The use of an impersonation is no activity of the user, so it is
 * stored without the user (docs/contract/users.md#activity). One statement, so it needs no explicit transaction.
 *
 * @param unchanged default: no conditions
 * @returns false when the user is deleted or suspended, or a condition does not hold
 */
export async function insertSession(
  db: Queryable,
  projectId: string,
  session: NewSession,
  unchanged?: Unchanged,
): Promise<boolean> {
  const { userId, createdAtMillis: atMillis, isImpersonation, place } = session;
  const seen = isImpersonation
    ? findSessionUser({ projectId, userId }, { unchanged })
    : recordSessionActivity({ projectId, userId }, { atMillis, unchanged });
  const activeUserId = isImpersonation ? sql`null::uuid` : sql`id`;
  const rows = await db.query(sql`
    with seen as (${seen}), ended as (${deleteSessionsAboveLimit(projectId, session)}), opened as (
      insert into sessions (
        project_id, id, user_id, refresh_token_hash, is_impersonation, created_at_millis, expires_at_millis, user_agent,
        opened_for_user, opener_id, opener_session_id
      )
      select ${projectId}, ${session.id}, id, ${session.refreshTokenHash}, ${session.isImpersonation},
        ${session.createdAtMillis}, ${session.expiresAtMillis}, ${session.event.source?.userAgent ?? null},
        ${session.isOpenedForUser}, ${session.opener?.id ?? null}::uuid, ${session.opener?.sessionId ?? null}::uuid
      from seen
    ), audited as (${auditInsert([session.event], sql`where exists (select from seen)`)})
    insert into events (project_id, kind, user_id, session_id, at_millis, data, address, country_code)
    select ${projectId}, 'activity', ${activeUserId}, ${session.id}, ${atMillis}, ${placeText(place?.stated)},
      ${place?.address ?? null}, ${place?.countryCode ?? null}
    from seen returning id
  `);
  return rows.length > 0;
}

/**
 * Ends sessions above the limit per user, in the order of docs/contract/decisions.md#sessions: expired ones, impersonations, then
 * those with the oldest use. An app and its support open sessions as often as they like, and must not sign the user out.
 */
function deleteSessionsAboveLimit(projectId: string, session: NewSession): Statement {
  const { userId, createdAtMillis } = session;
  return sql`
    delete from sessions where project_id = ${projectId} and exists (select from seen) and id in (
      select s.id from sessions s
      where s.project_id = ${projectId} and s.user_id = ${userId} ${mayEndFor(session)}
      order by s.expires_at_millis > ${createdAtMillis}, not s.is_impersonation, greatest(s.created_at_millis, ${lastUse})
      limit (
        select greatest(count(*) - ${sessionsPerUser - 1}::integer, 0)
        from sessions where project_id = ${projectId} and user_id = ${userId}
      )
    )
  `;
}

/** The sessions `s` that a new one may end. A session that the user opens may end each of them. */
function mayEndFor({ isImpersonation, isOpenedForUser, createdAtMillis }: NewSession): Statement {
  if (isImpersonation) return sql`and (s.is_impersonation or s.expires_at_millis <= ${createdAtMillis})`;
  if (!isOpenedForUser) return unbounded;
  return sql`and (s.is_impersonation or s.opened_for_user or s.expires_at_millis <= ${createdAtMillis})`;
}

/** The session policy of a project as conditions on a session `s` (control 28): maximum age and idle time. */
export function withinPolicy({ config }: Pick<Project, 'config'>, nowMillis: number): Statement {
  const { sessionLifetimeMs: lifetimeMs, sessionIdleLifetimeMs: idleMs } = config;
  if (lifetimeMs === undefined && idleMs === undefined) return unbounded;
  return sql`
    ${lifetimeMs === undefined ? unbounded : sql`and s.created_at_millis > ${nowMillis - lifetimeMs}`}
    ${idleMs === undefined ? unbounded : sql`and greatest(s.created_at_millis, ${lastUse}) > ${nowMillis - idleMs}`}
  `;
}

/** A refresh token, and the project whose session policy applies. */
export interface PresentedToken {
  readonly project: Pick<Project, 'id' | 'config'>;
  readonly refreshTokenHash: Buffer;
  readonly nowMillis: number;
}

export interface FoundSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly isImpersonation: boolean;
  /** The person who opened it for the user, and the session of that person where it is an impersonation. */
  readonly openerId: string | null;
  readonly openerSessionId: string | null;
  readonly createdAtMillis: number;
  readonly expiresAtMillis: number;
}

/** The open sessions of refresh tokens, in the order of the tokens; undefined for a token without one. */
export async function selectSessionsOf(
  db: Queryable,
  asked: readonly PresentedToken[],
): Promise<(FoundSession | undefined)[]> {
  const lifetimes = asked.map(({ project: { config } }) => [config.sessionLifetimeMs, config.sessionIdleLifetimeMs]);
  // One index lookup for each token, whatever the planner estimates for the table.
  const rows = await db.query<FoundSession & { place: number }>(sql`
    select asked.place, s.id as "sessionId", s.user_id as "userId", s.is_impersonation as "isImpersonation",
      s.opener_id as "openerId", s.opener_session_id as "openerSessionId", s.created_at_millis as "createdAtMillis",
      s.expires_at_millis as "expiresAtMillis"
    from unnest(
      (select ${asked.map(one => one.project.id)}::text[]), (select ${asked.map(one => one.refreshTokenHash)}::bytea[]),
      (select ${asked.map(one => one.nowMillis)}::bigint[]),
      (select ${lifetimes.map(([absolute]) => absolute ?? null)}::bigint[]),
      (select ${lifetimes.map(([, idle]) => idle ?? null)}::bigint[])
    ) with ordinality as asked (project_id, token_hash, now_millis, lifetime_ms, idle_ms, place)
    cross join lateral (
      select * from sessions where project_id = asked.project_id and refresh_token_hash = asked.token_hash limit 1
    ) s
    where s.expires_at_millis > asked.now_millis
      and (asked.lifetime_ms is null or s.created_at_millis > asked.now_millis - asked.lifetime_ms)
      and (asked.idle_ms is null or greatest(s.created_at_millis, ${lastUse}) > asked.now_millis - asked.idle_ms)
  `);
  const sessions = new Array<FoundSession | undefined>(asked.length).fill(undefined);
  for (const row of rows) {
    sessions[row.place - 1] = {
      sessionId: row.sessionId,
      userId: row.userId,
      isImpersonation: row.isImpersonation,
      openerId: row.openerId,
      openerSessionId: row.openerSessionId,
      createdAtMillis: row.createdAtMillis,
      expiresAtMillis: row.expiresAtMillis,
    };
  }
  return sessions;
}

/** Ends a session. A concurrent refresh finds no row (controls 27, 32). */
export async function deleteSession(db: Queryable, projectId: string, sessionId: string): Promise<boolean> {
  const rows = await db.query(
    sql`delete from sessions where project_id = ${projectId} and id = ${sessionId} returning id`,
  );
  return rows.length > 0;
}

/** @returns the ids of the ended sessions: all of the user except `keptId` */
export async function deleteOtherSessions(
  db: Queryable,
  projectId: string,
  userId: string,
  keptId: string | undefined,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    delete from sessions
    where project_id = ${projectId} and user_id = ${userId} and id is distinct from ${keptId ?? null}::uuid
    returning id
  `);
  return rows.map(({ id }) => id);
}

export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  readonly isImpersonation: boolean;
  readonly createdAtMillis: number;
  readonly lastUsedAtMillis: number | null;
  /** What the headers of the last use stated. */
  readonly place: EndUserPlace | null;
  /** The address of the last use, as trusted hops reported it. */
  readonly address: string | null;
  readonly countryCode: string | null;
  /** The user agent of the request that opened the session. */
  readonly userAgent: string | null;
  readonly expiresAtMillis: number;
}

/** The open sessions of a user, newest first, each with its latest activity (controls 33, 34). */
export function selectSessions(
  db: Queryable,
  project: Pick<Project, 'id' | 'config'>,
  { userId, nowMillis, withImpersonation }: { userId: string; nowMillis: number; withImpersonation: boolean },
): Promise<SessionRow[]> {
  return db.query<SessionRow>(sql`
    select s.id, s.user_id as "userId", s.is_impersonation as "isImpersonation", s.created_at_millis as "createdAtMillis",
      s.user_agent as "userAgent", s.expires_at_millis as "expiresAtMillis", e.at_millis as "lastUsedAtMillis",
      e.data as place, e.address, e.country_code as "countryCode"
    from sessions s
    left join lateral (
      select at_millis, data, address, country_code from events e
      where e.project_id = ${project.id} and e.session_id = s.id and e.kind = 'activity'
      order by e.at_millis desc, e.id desc limit 1
    ) e on true
    where s.project_id = ${project.id} and s.user_id = ${userId} and s.expires_at_millis > (select ${nowMillis}::bigint)
      ${withImpersonation ? unbounded : sql`and not s.is_impersonation`} ${withinPolicy(project, nowMillis)}
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

/** Whether a session of a user is open. In a transaction it stays open until the transaction ends. */
export async function holdOpenSession(
  db: Queryable,
  project: Pick<Project, 'id' | 'config'>,
  session: { readonly sessionId: string | null; readonly userId: string; readonly nowMillis: number },
): Promise<boolean> {
  const rows = await db.query(sql`
    select s.id from sessions s
    where s.project_id = ${project.id} and s.id = ${session.sessionId} and s.user_id = ${session.userId}
      and s.expires_at_millis > ${session.nowMillis} ${withinPolicy(project, session.nowMillis)}
    for key share of s
  `);
  return rows.length > 0;
}

/**
 * Ends the sessions of a user, except the session of a refresh token, which may have been exchanged concurrently by
 * another tab.
 */
export async function deleteSessions(
  db: Queryable,
  projectId: string,
  userId: string,
  exceptHash: Buffer | null,
): Promise<void> {
  await db.query(sql`
    delete from sessions s where s.project_id = ${projectId} and s.user_id = ${userId}
      and (${exceptHash}::bytea is null or s.refresh_token_hash <> ${exceptHash})
      and not exists (
        select from rotated_refresh_tokens r
        where r.project_id = s.project_id and r.token_hash = ${exceptHash} and r.session_id = s.id
      )
  `);
}
