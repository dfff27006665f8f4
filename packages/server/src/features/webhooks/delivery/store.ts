import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { addJobRows } from '../../../platform/queue/add-job.ts';
import { projectFlagPrefix } from '../../../platform/queue/work.ts';

/** A delivery of one event to one endpoint. */
export interface DeliveryId {
  readonly projectId: string;
  readonly eventId: string;
  readonly endpointId: string;
}

/** Name of the jobs that deliver one event to one endpoint. */
export const deliveryTask = 'webhook_delivery';

export interface EventId {
  readonly projectId: string;
  readonly id: string;
}

/** Inserts a delivery with its job for each endpoint that subscribes to an event. Existing deliveries are not changed. */
export async function startDeliveries(db: Queryable, events: readonly EventId[]): Promise<readonly EventId[]> {
  await db.query(sql`
    with started as (
      insert into webhook_deliveries
        (project_id, event_id, endpoint_id, status, attempts, next_attempt_at_millis, created_at_millis)
      select e.project_id, e.id, w.id, 'pending', 0, e.created_at_millis, e.created_at_millis
      from unnest(
        (select ${events.map(({ projectId }) => projectId)}::text[]), (select ${events.map(({ id }) => id)}::uuid[])
      ) given (project_id, id)
      join webhook_events e on e.project_id = given.project_id and e.id = given.id
      join webhook_endpoints w on w.project_id = e.project_id
      where not w.is_disabled and w.deleted_at_millis is null
        and (w.filter_types is null or e.type = any (w.filter_types))
      on conflict do nothing
      returning project_id, event_id, endpoint_id
    ), job as (
      select ${deliveryTask}::text as task, json_build_object(
          'projectId', project_id, 'eventId', event_id, 'endpointId', endpoint_id,
          'attemptId', gen_random_uuid(), 'isManual', false
        ) as payload, 0 as priority, array[${projectFlagPrefix} || project_id, endpoint_id::text] as flags
      from started
    )
    ${addJobRows}
  `);
  return events;
}

export interface DueDelivery {
  readonly status: 'success' | 'pending' | 'fail';
  /** True when this attempt is in the log. */
  readonly isMade: boolean;
  readonly type: string;
  /** JSON, as published. */
  readonly data: string;
  readonly url: string;
  /** Encrypted. */
  readonly secrets: Buffer;
  readonly isListening: boolean;
}

/** @returns for each delivery; undefined when the event is too old or the project was deleted */
export async function selectDueDeliveries(
  db: Queryable,
  deliveries: readonly (DeliveryId & { readonly attemptId: string })[],
): Promise<(DueDelivery | undefined)[]> {
  // `offset 0`, `count` and `is not distinct from` leave PostgreSQL only lookups by the primary key. With the statistics of
  // a table that has just been filled, it read all deliveries of an endpoint, all events of a project, or all attempts.
  const rows = await db.query<DueDelivery & { place: number }>(sql`
    select given.place, d.status, e.type, e.data, w.url, w.secrets, w."isListening", (
        select count(*) > 0 from webhook_attempts a where a.project_id = given.project_id and a.id = given.attempt_id
      ) as "isMade"
    from unnest(
      (select ${deliveries.map(({ projectId }) => projectId)}::text[]),
      (select ${deliveries.map(({ eventId }) => eventId)}::uuid[]),
      (select ${deliveries.map(({ endpointId }) => endpointId)}::uuid[]),
      (select ${deliveries.map(({ attemptId }) => attemptId)}::uuid[])
    ) with ordinality given (project_id, event_id, endpoint_id, attempt_id, place)
    cross join lateral (
      select status from webhook_deliveries
      where project_id = given.project_id and event_id = given.event_id
        and endpoint_id is not distinct from given.endpoint_id
      offset 0
    ) d
    cross join lateral (
      select type, data::text as data from webhook_events where project_id = given.project_id and id = given.event_id
      offset 0
    ) e
    cross join lateral (
      select url, secrets, not is_disabled and deleted_at_millis is null as "isListening" from webhook_endpoints
      where project_id = given.project_id and id = given.endpoint_id
      offset 0
    ) w
  `);
  const byPlace = new Map(rows.map(({ place, ...due }) => [place, due]));
  return deliveries.map((_, index) => byPlace.get(index + 1));
}

export interface LockedDelivery {
  readonly status: 'success' | 'pending' | 'fail';
  readonly attempts: number;
  readonly failingSinceMillis: number | null;
  /** The current one of the endpoint. */
  readonly url: string;
}

/** Locks a delivery until the transaction ends, so that concurrent attempts are counted one after the other. */
export async function lockDelivery(
  tx: Transaction,
  { projectId, eventId, endpointId }: DeliveryId,
): Promise<LockedDelivery | undefined> {
  const [row] = await tx.query<LockedDelivery>(sql`
    select d.status, d.attempts, w.failing_since_millis as "failingSinceMillis", w.url
    from webhook_deliveries d join webhook_endpoints w on w.project_id = d.project_id and w.id = d.endpoint_id
    where d.project_id = ${projectId} and d.event_id = ${eventId} and d.endpoint_id = ${endpointId}
    for update of d
  `);
  return row;
}

export interface Attempt {
  readonly id: string;
  readonly url: string;
  readonly isSuccess: boolean;
  readonly isManual: boolean;
  readonly answerStatus: number;
  readonly answer: string;
  readonly durationMs: number;
  readonly atMillis: number;
}

/** @returns false when this attempt is in the log */
export async function insertAttempt(
  tx: Transaction,
  { projectId, eventId, endpointId }: DeliveryId,
  attempt: Attempt,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into webhook_attempts (
      project_id, id, event_id, endpoint_id, url, is_success, is_manual, answer_status, answer, duration_ms, at_millis
    )
    values (
      ${projectId}, ${attempt.id}, ${eventId}, ${endpointId}, ${attempt.url}, ${attempt.isSuccess}, ${attempt.isManual},
      ${attempt.answerStatus}, ${attempt.answer}, ${attempt.durationMs}, ${attempt.atMillis}
    )
    on conflict do nothing
    returning id
  `);
  return rows.length > 0;
}

/** Records a scheduled attempt that failed. */
export async function updateDelivery(
  tx: Transaction,
  { projectId, eventId, endpointId }: DeliveryId,
  change: { status: string; nextAttemptAtMillis: number | null },
): Promise<void> {
  await tx.query(sql`
    update webhook_deliveries
    set status = ${change.status}, attempts = attempts + 1,
      next_attempt_at_millis = ${change.nextAttemptAtMillis}
    where project_id = ${projectId} and event_id = ${eventId} and endpoint_id = ${endpointId}
  `);
}

/** Ends a pending delivery whose endpoint was disabled or deleted. */
export async function failDelivery(db: Queryable, { projectId, eventId, endpointId }: DeliveryId): Promise<void> {
  await db.query(sql`
    update webhook_deliveries set status = 'fail', next_attempt_at_millis = null
    where project_id = ${projectId} and event_id = ${eventId} and endpoint_id = ${endpointId} and status = 'pending'
  `);
}

export async function updateFailingSince(
  tx: Transaction,
  { projectId, endpointId }: DeliveryId,
  failingSinceMillis: number | null,
): Promise<void> {
  await tx.query(sql`
    update webhook_endpoints set failing_since_millis = ${failingSinceMillis}
    where project_id = ${projectId} and id = ${endpointId}
  `);
}

/** @returns false when the endpoint was disabled or deleted before */
export async function disableEndpoint(
  tx: Transaction,
  { projectId, endpointId }: DeliveryId,
  nowMillis: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update webhook_endpoints set is_disabled = true, updated_at_millis = ${nowMillis}
    where project_id = ${projectId} and id = ${endpointId} and not is_disabled and deleted_at_millis is null
    returning id
  `);
  return rows.length > 0;
}

/** Inserts a delivery for a manual attempt, if there is none. @returns false without such an event or endpoint */
export async function ensureDelivery(
  tx: Transaction,
  { projectId, eventId, endpointId }: DeliveryId,
): Promise<boolean> {
  const rows = await tx.query(sql`
    with known as (
      select e.created_at_millis from webhook_events e join webhook_endpoints w on w.project_id = e.project_id
      where e.project_id = ${projectId} and e.id = ${eventId} and w.id = ${endpointId} and w.deleted_at_millis is null
    ), started as (
      insert into webhook_deliveries
        (project_id, event_id, endpoint_id, status, attempts, next_attempt_at_millis, created_at_millis)
      select ${projectId}, ${eventId}, ${endpointId}, 'fail', 0, null, created_at_millis from known
      on conflict do nothing
    )
    select 1 from known
  `);
  return rows.length > 0;
}

export interface EventRow {
  readonly type: string;
  /** JSON, as published. */
  readonly data: string;
}

export async function selectEvent(db: Queryable, projectId: string, id: string): Promise<EventRow | undefined> {
  const [row] = await db.query<EventRow>(sql`
    select type, data::text as data from webhook_events where project_id = ${projectId} and id = ${id}
  `);
  return row;
}
