import type { Queryable } from '../../../platform/database/database.ts';
import { type Statement, sql } from '../../../platform/database/sql.ts';
import type { Attempt } from '../delivery/store.ts';
import type { Keyset } from './paging.ts';

export interface MessageRow {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly createdAtMillis: number;
}

export interface AttemptRow extends Attempt {
  readonly endpointId: string;
  readonly message: Omit<MessageRow, 'data'>;
}

export interface DeliveryRow {
  readonly status: 'success' | 'pending' | 'fail';
  readonly nextAttemptAtMillis: number | null;
  readonly message: MessageRow;
}

/** Filters of a history; undefined means no filter. */
export interface HistoryFilter {
  readonly beforeMillis?: number | undefined;
  readonly afterMillis?: number | undefined;
  readonly types?: readonly string[] | undefined;
}

export interface AttemptFilter extends HistoryFilter {
  readonly endpointId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly isSuccess?: boolean | undefined;
  /** 0 for no response, 100 for 100 to 199, and so on. */
  readonly statusClass?: number | undefined;
}

export interface DeliveryFilter extends HistoryFilter {
  readonly endpointId: string;
  readonly status?: DeliveryRow['status'] | undefined;
}

/** The messages of a project behind a position. */
export function selectMessages(
  db: Queryable,
  projectId: string,
  filter: HistoryFilter,
  keyset: Keyset,
): Promise<MessageRow[]> {
  const order = { time: sql`e.created_at_millis`, id: sql`e.id` };
  return db.query<MessageRow>(sql`
    select e.id, e.type, e.data, e.created_at_millis as "createdAtMillis"
    from webhook_events e
    where e.project_id = ${projectId} ${within(filter, order.time)} ${behind(keyset, order)}
    ${inOrder(keyset, order)}
  `);
}

export async function selectMessage(db: Queryable, projectId: string, id: string): Promise<MessageRow | undefined> {
  const [row] = await db.query<MessageRow>(sql`
    select id, type, data, created_at_millis as "createdAtMillis"
    from webhook_events where project_id = ${projectId} and id = ${id}
  `);
  return row;
}

export function selectAttempts(
  db: Queryable,
  projectId: string,
  filter: AttemptFilter,
  keyset: Keyset,
): Promise<AttemptRow[]> {
  const { endpointId, eventId, isSuccess, statusClass } = filter;
  const order = { time: sql`a.at_millis`, id: sql`a.id` };
  return db.query<AttemptRow>(sql`
    select a.id, a.endpoint_id as "endpointId", a.url, a.is_success as "isSuccess", a.is_manual as "isManual",
      a.answer_status as "answerStatus", a.answer, a.duration_ms as "durationMs", a.at_millis as "atMillis",
      json_build_object('id', e.id, 'type', e.type, 'createdAtMillis', e.created_at_millis) as message
    from webhook_attempts a join webhook_events e on e.project_id = a.project_id and e.id = a.event_id
    where a.project_id = ${projectId}
      ${endpointId === undefined ? nothing : sql`and a.endpoint_id = ${endpointId}`}
      ${eventId === undefined ? nothing : sql`and a.event_id = ${eventId}`}
      ${isSuccess === undefined ? nothing : sql`and a.is_success = ${isSuccess}`}
      ${statusClass === undefined ? nothing : sql`and a.answer_status between ${statusClass} and ${lastOf(statusClass)}`}
      ${within(filter, order.time)} ${behind(keyset, order)}
    ${inOrder(keyset, order)}
  `);
}

/** The messages of an endpoint with the status of their delivery. */
export function selectDeliveries(
  db: Queryable,
  projectId: string,
  filter: DeliveryFilter,
  keyset: Keyset,
): Promise<DeliveryRow[]> {
  const order = { time: sql`d.created_at_millis`, id: sql`d.event_id` };
  return db.query<DeliveryRow>(sql`
    select d.status, d.next_attempt_at_millis as "nextAttemptAtMillis",
      json_build_object('id', e.id, 'type', e.type, 'data', e.data, 'createdAtMillis', e.created_at_millis) as message
    from webhook_deliveries d join webhook_events e on e.project_id = d.project_id and e.id = d.event_id
    where d.project_id = ${projectId} and d.endpoint_id = ${filter.endpointId}
      ${filter.status === undefined ? nothing : sql`and d.status = ${filter.status}`}
      ${within(filter, order.time)} ${behind(keyset, order)}
    ${inOrder(keyset, order)}
  `);
}

interface Order {
  readonly time: Statement;
  readonly id: Statement;
}

const nothing = sql``;

function within({ beforeMillis, afterMillis, types }: HistoryFilter, time: Statement): Statement {
  return sql`
    ${beforeMillis === undefined ? nothing : sql`and ${time} < ${beforeMillis}`}
    ${afterMillis === undefined ? nothing : sql`and ${time} > ${afterMillis}`}
    ${types === undefined ? nothing : sql`and e.type = any (${types})`}
  `;
}

function behind({ place, isDescending }: Keyset, { time, id }: Order): Statement {
  if (place === null) return nothing;
  return isDescending
    ? sql`and (${time}, ${id}) < (${place.atMillis}, ${place.id})`
    : sql`and (${time}, ${id}) > (${place.atMillis}, ${place.id})`;
}

function inOrder({ isDescending, count }: Keyset, { time, id }: Order): Statement {
  return isDescending
    ? sql`order by ${time} desc, ${id} desc limit ${count}`
    : sql`order by ${time}, ${id} limit ${count}`;
}

/** The highest status of a class, such as 499. An attempt without a response has status 0. */
function lastOf(statusClass: number): number {
  return statusClass === 0 ? 0 : statusClass + 99;
}
