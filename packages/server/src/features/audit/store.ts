import type { AuditAction, AuditActorType, Json } from '@tessera/protocol';
import type { StoredAuditEvent } from '../../core/audit-event.ts';
import type { PagePosition } from '../../core/page-cursor.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { type Statement, sql } from '../../platform/database/sql.ts';

/**
 * Inserts events; can be embedded in another statement. An event with a known time and id is skipped.
 *
 * @param condition a `where …` clause of the outer statement; empty inserts always
 */
export function auditInsert(events: readonly StoredAuditEvent[], condition = sql``): Statement {
  return sql`
    insert into audit_events (
      project_id, at_millis, id, action, actor_type, actor_id, user_id, subject_type, subject_id, address, user_agent,
      trace_id, details, before, after
    )
    select project_id, at_millis, id, action, actor_type, actor_id, user_id, subject_type, subject_id, address,
      user_agent, trace_id, details, before, after
    from json_to_recordset(${JSON.stringify(events.map(columnsOf))}::json) as event (
      project_id text, at_millis bigint, id uuid, action text, actor_type text, actor_id uuid, user_id uuid,
      subject_type text, subject_id text, address text, user_agent text, trace_id text, details json, before json,
      after json
    )
    ${condition}
    on conflict do nothing
  `;
}

function columnsOf(event: StoredAuditEvent) {
  return {
    project_id: event.projectId,
    at_millis: event.atMillis,
    id: event.id,
    action: event.action,
    actor_type: event.actor.type,
    actor_id: event.actor.id,
    user_id: event.userId ?? null,
    subject_type: event.subject?.type ?? null,
    subject_id: event.subject?.id ?? null,
    address: event.source?.address ?? null,
    user_agent: event.source?.userAgent ?? null,
    trace_id: event.source?.traceId ?? null,
    details: storedDetails(event),
    before: event.before ?? null,
    after: event.after ?? null,
  };
}

/** In an impersonation the details name the user as whom the actor acted. */
function storedDetails({
  details,
  impersonatedUserId,
}: Pick<StoredAuditEvent, 'details' | 'impersonatedUserId'>): Json {
  if (impersonatedUserId === undefined) return details ?? null;
  const given = typeof details === 'object' && !Array.isArray(details) ? details : { details };
  return { ...given, impersonated_user_id: impersonatedUserId } as Json;
}

/** The users whose accounts the addresses sign in to. An address without an account is left out. */
export function selectUsersOfAddresses(
  db: Queryable,
  named: readonly { readonly projectId: string; readonly address: string }[],
): Promise<{ projectId: string; address: string; userId: string }[]> {
  return db.query(sql`
    select c.project_id as "projectId", c.value as address, c.user_id as "userId"
    from unnest(${named.map(one => one.projectId)}::text[], ${named.map(one => one.address)}::text[])
      as named (project_id, address)
    join contact_channels c on c.project_id = named.project_id and c.type = 'email' and c.value = named.address
      and c.used_for_auth
  `);
}

export interface UserNameRow {
  readonly id: string;
  readonly displayName: string | null;
  readonly primaryEmail: string | null;
}

/** The names of users that exist. */
export async function selectUserNames(
  db: Queryable,
  projectId: string,
  userIds: ReadonlySet<string>,
): Promise<UserNameRow[]> {
  return db.query<UserNameRow>(sql`
    select id, display_name as "displayName", primary_email as "primaryEmail"
    from users where project_id = ${projectId} and id = any(${[...userIds]})
  `);
}

export interface AuditRow {
  readonly id: string;
  readonly atMillis: number;
  readonly action: AuditAction;
  readonly actorType: AuditActorType;
  readonly actorId: string | null;
  readonly userId: string | null;
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly traceId: string | null;
  readonly details: Json;
  readonly before: Json;
  readonly after: Json;
}

export interface AuditFilter {
  readonly action: AuditAction | undefined;
  /** Only with `userId`, whose index it needs. */
  readonly actions?: readonly AuditAction[];
  /** Which events `session.created` are read. Default: all. */
  readonly createdSessions?: 'impersonations';
  readonly actorId: string | undefined;
  readonly userId: string | undefined;
  readonly traceId: string | undefined;
  /** In canonical form, as events have it. */
  readonly address: string | undefined;
  readonly fromMillis: number | undefined;
  /** Exclusive. */
  readonly toMillis: number | undefined;
}

/** Newest first, beginning with the event at `at`. Each filter has an index. */
export function selectAuditEvents(
  db: Queryable,
  projectId: string,
  { filter, at, limit }: { filter: AuditFilter; at: PagePosition | undefined; limit: number },
): Promise<AuditRow[]> {
  const { action, actions, createdSessions, actorId, userId, traceId, address, fromMillis, toMillis } = filter;
  return db.query<AuditRow>(sql`
    select id, at_millis as "atMillis", action, actor_type as "actorType", actor_id as "actorId", user_id as "userId",
      subject_type as "subjectType", subject_id as "subjectId", address, user_agent as "userAgent",
      trace_id as "traceId", details, before, after
    from audit_events
    where project_id = ${projectId}
      ${action === undefined ? sql`` : sql`and action = ${action}`}
      ${actions === undefined ? sql`` : sql`and action = any(${[...actions]})`}
      ${createdSessions === undefined ? sql`` : sql`and (action <> 'session.created' or details ->> 'is_impersonation' = 'true')`}
      ${actorId === undefined ? sql`` : sql`and actor_id = ${actorId}`}
      ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
      ${traceId === undefined ? sql`` : sql`and trace_id = ${traceId}`}
      ${address === undefined ? sql`` : sql`and address = ${address}`}
      ${fromMillis === undefined ? sql`` : sql`and at_millis >= ${fromMillis}`}
      ${toMillis === undefined ? sql`` : sql`and at_millis < ${toMillis}`}
      ${at === undefined ? sql`` : sql`and (at_millis, id) <= (${at.atMillis}, ${at.id}::uuid)`}
    order by at_millis desc, id desc limit ${limit}
  `);
}
